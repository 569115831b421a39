#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The man page names every command and option that --help lists, no others, and formats without a warning.
set -u
infercap=${INFERCAP:?the built program}
page=docs/infercap.1
bad=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

complain() {
	echo "$*"
	bad=1
}

commands=$("$infercap" --help | sed -n 's/^  \([a-z]*\)  *[A-Z[].*/\1/p')
[ -n "$commands" ] || complain "--help lists no command"
sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$page" >"$work/described"
[ "$commands" = "$(cat "$work/described")" ] || complain "commands:" $commands "but in $page:" $(cat "$work/described")
for command in $commands; do
	"$infercap" "$command" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'
done | sort -u >"$work/listed"
sed -n 's/^\.It Fl -\([a-z-]*\).*/\1/p' "$page" | sort -u >"$work/named"
diff "$work/listed" "$work/named" >"$work/differ" || complain "options: < in --help, > in $page" "$(cat "$work/differ")"

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$page" >"$work/lint" 2>&1 || complain "$(cat "$work/lint")"
elif command -v groff >/dev/null && groff -mdoc -z /dev/null 2>/dev/null; then
	groff -mdoc -ww -z "$page" 2>"$work/lint"
	[ ! -s "$work/lint" ] || complain "$(cat "$work/lint")"
fi
exit $bad
