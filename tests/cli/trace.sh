#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# infercap trace: describes from a file and from stdin, converts whole or not at all.
set -u
: "${INFERCAP:=build/release/infercap}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "$*"
	bad=1
}

"$INFERCAP" trace tests/traces/vidur.csv --json >"$work/a.json" || complain "--json: exit status $?"
for text in '"command": "trace"' '"format": "vidur"' '"requests": 4' '"skipped": 2' '"skipped_line": 4' '"span_s": 8' \
	'"rate": 0.375' '"cv": 0.37888' '"p50": 25' '"max": 40'; do
	grep -qF "$text" "$work/a.json" || complain "--json lacks $text"
done
"$INFERCAP" trace - --json <tests/traces/vidur.csv | cmp -s - "$work/a.json" || complain "stdin reads otherwise"
"$INFERCAP" trace tests/traces/vidur.csv | grep -q 'first is line 4: no output tokens' || complain "a skipped row is not named"

# There and back: only the milliseconds of the format in between are kept.
"$INFERCAP" trace tests/traces/vidur.csv --to "$work/a.jsonl" >/dev/null || complain "to .jsonl: exit status $?"
"$INFERCAP" trace - --to "$work/b.csv" <"$work/a.jsonl" >/dev/null || complain "to .csv: exit status $?"
printf '%s\n' arrived_at,num_prefill_tokens,num_decode_tokens 0,10,1 1.75,20,2 5.5,30,3 8,40,4 | cmp -s - "$work/b.csv" ||
	complain "converted twice: $(cat "$work/b.csv")"

# A failure leaves the old target as it was, and nothing beside it.
"$INFERCAP" trace tests/traces/no-usable-row.csv --to "$work/b.csv" >/dev/null 2>&1
[ $? -eq 2 ] || complain "no usable row: exit status"
grep -q '^8,40,4$' "$work/b.csv" || complain "the old target is gone"
"$INFERCAP" trace tests/traces/vidur.csv --to "$work/nowhere/b.csv" >/dev/null 2>&1
[ $? -eq 3 ] || complain "an unwritable target: exit status"
[ "$(ls "$work" | tr '\n' ' ')" = "a.json a.jsonl b.csv " ] || complain "left behind: $(ls "$work")"
exit $bad
