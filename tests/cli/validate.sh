#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# validate: the same bytes for any --jobs, files beside the table, what is left out counted, rows of one's own.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "validate: $*"
	bad=1
}

cat >"$work/mine.json" <<'END'
{"model": "llama-3.1-8b", "gpus": ["l4"],
 "traffic": {"arrivals": {"process": "poisson", "rate": 1}, "input": 500, "output": {"dist": "exponential", "mean": 80},
             "requests": 60}}
END
cat >"$work/mine.csv" <<'END'
source,gpu,traffic.arrivals.rate,traffic.arrivals.process,traffic.arrivals.concurrency,=latency.ttft_ms.p50,=latency.tpot_ms.p50,=throughput.output_tokens_per_s
first,,1,,,120,60,
second,l40s,3,,,60,30,
third,h100,,closed,4,,,400
fourth,l4,,closed,4,,,75
impossible,l4,1,,,100,20,
refused,z9,1,,,100,60,
END

"$infercap" validate "$work/mine.csv" --quiet --jobs 1 --json >"$work/one.json" || complain "exit status $?"
"$infercap" validate "$work/mine.csv" --quiet --jobs 4 --json --csv "$work/rows.csv" --out "$work/out" >"$work/four.json" ||
	complain "with files: exit status $?"
cmp -s "$work/one.json" "$work/four.json" || complain "--jobs changes the answer"
cmp -s "$work/four.json" "$work/out/result.json" || complain "result.json is not the answer"
cmp -s "$work/rows.csv" "$work/out/result.csv" || complain "result.csv is not --csv"
[ "$(wc -l <"$work/rows.csv")" = 11 ] || complain "not a row a figure: $(wc -l <"$work/rows.csv")"
for key in goals engines tables groups ratios left_out results; do
	grep -q "^  \"$key\": \[" "$work/one.json" || complain "no $key in the document"
done
"$infercap" validate "$work/mine.csv" --quiet --seed 9 --json >"$work/seed.json"
! cmp -s "$work/one.json" "$work/seed.json" || complain "--seed changes nothing"

"$infercap" validate "$work/mine.csv" --quiet >"$work/page" || complain "exit status $?"
has() { grep -qE "$1" "$work/page" || complain "the page lacks $1"; }
has '^5 of 6 measured rows are compared'
has '^check.* mine +below 0.9 +latency.tpot_ms.p50 '
has '^unknown GPU "z9" +1 +2 '
has '^breaks the bandwidth floor +0 +1 '
has ' mine +1 .* l4-24gb over h100-sxm-80gb: 0.18[78] measured'
! grep -q '^fit' "$work/page" || complain "the page has fit rows"
"$infercap" validate "$work/mine.csv" --quiet --replications 2 --json | grep -q '"replications": 2,' || complain "--replications has no say"

if command -v gnuplot >/dev/null; then
	"$infercap" validate "$work/mine.csv" --quiet --plot "$work/v.svg" >"$work/page2" || complain "--plot: exit status $?"
	cmp -s "$work/page" "$work/page2" || complain "--plot changes the page"
	grep -q 'TTFT, p50 or mean' "$work/v.svg" || complain "v.svg is no picture"
fi
exit $bad
