#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of picture, from documents in tests/plots, in every format: drawn without a word of gnuplot's, not blank,
# with units on its axes; awkward names and few points; what cannot be drawn says why.
set -u
infercap=${INFERCAP:?the built program}
ink=${INK:?what measures pictures}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
	echo "plot_kinds: $*"
	bad=1
}

# draw DOCUMENT KIND FORMAT: into $work/DOCUMENT, text into $work/text.
draw() {
	"$infercap" plot "tests/plots/$1.json" --kind "$2" --format "$3" --out "$work/$1" >"$work/text" 2>"$work/err" ||
		complain "$1, $2, $3: exit status $?"
	[ ! -s "$work/err" ] || complain "$1, $2, $3: $(cat "$work/err")"
}

# check DOCUMENT KIND MARKS UNIT...: at least MARKS points or areas of data in the SVG, and these units.
check() {
	document=$1 kind=$2 marks=$3
	shift 3
	for format in svg png pdf text; do draw "$document" "$kind" $format; done
	base=$work/$document/$kind
	[ -s "$base.csv" ] && [ -s "$base.gp" ] || complain "$document: no data or script of $kind"
	drawn=$(grep -c -e "<use xlink:href='#gpPt" -e "<polygon" -e " Z' " "$base.svg")
	[ "$drawn" -ge "$marks" ] || complain "$document: $kind.svg has $drawn marks, not $marks"
	enough=25
	[ "$kind" != heat ] || enough=300 # it is an area
	pixels=$("$ink" "$base.png") && [ "$pixels" -ge $enough ] || complain "$document: $kind.png is blank: $pixels per mille"
	lines=$("$ink" "$base.pdf") && [ "$lines" -ge 20 ] || complain "$document: $kind.pdf is blank: $lines lines"
	sed 's/&lt;/</g; s/&amp;/\&/g' "$base.svg" >"$work/svg"
	for unit in "$@"; do
		grep -qF -e "$unit" "$work/svg" || complain "$document: $kind.svg lacks $unit"
		grep -qF -e "$unit" "$work/text" || complain "$document: $kind as text lacks $unit"
	done
}

command -v gnuplot >/dev/null || exit 77
export COLUMNS=160
check replace cost 40 'US$ per 1,000 requests' 'Offered load [requests/s]' l40s-48gb 'dashed: none' 'no line, for want of a price or of a number that holds: t4-16gb'
check replace bars 8 'GPUs or tensor-parallel groups' '8 GPUs: 2 x TP4' cannot 12.5
check sweep latency 20 'TTFT [ms]' 'TPOT [ms]' 'Offered load [requests/s]' a100-sxm-80gb 't4-16gb, does-not-fit' 'p99 <= 2,000 ms'
check sweep pareto 15 'TPOT, p99 [ms]' '[tokens/s]' 'limit 100 ms' a100-sxm-80gb
check map heat 405 'traffic.input.mean [tokens]' 'traffic.output.mean [tokens]' cannot 6.76 8,192

check run cdf 30 'Requests no slower [%]' 'Time to first token, TTFT' '100 ms' 'p99' mean max l4-24gb
grep -qF 'Gaps no longer [%]' "$work/run/cdf.svg" || complain "cdf.svg lacks the gaps"
check run roofline 6 'Arithmetic intensity [FLOP/byte]' 'Compute reached by a GPU [TFLOP/s]' 'decode 64 %' 'prefill 36 %'
check run timeline 6 'Waiting [requests]' 'Running [sequences]' 'KV in use [% of the pool]' 'Time [h]' "it's {a}_100% ^2"
check validation validation 9 'TTFT, p50 or mean [ms]' 'TPOT or ITL, p50 or mean [ms]' 'Throughput [tokens/s]' tensorrt-llm "it's {a}_100% ^2"
[ "$(wc -l <"$work/validation/validation.csv")" = 10 ] || complain "validation.csv has rows of what is fitted or left out"
# One GPU, every latency the same, no queue, no decode, no SLO.
for kind in cdf roofline timeline; do
	draw one-run $kind svg
	draw one-run $kind text
done
# Limits that are written with an exponent.
sed 's/"p99": 2000/"p99": 1e9/; s/"p99": 100/"p99": 1e-6/' tests/plots/run.json >"$work/far.json"
"$infercap" plot "$work/far.json" --kind cdf --out "$work/far" >"$work/text" 2>"$work/err" || complain "far limits: $(cat "$work/err")"

# Ten GPUs with names that are code elsewhere, limits of four kinds; one point; one cell.
check ten cost 200 "it's" 'a "quoted" id' '{brace}_x^2' 'comma, id' 'Größe-8' 'back\slash' '100%' '$x `y`' \
	"It's a \"quoted\" {brace}_name ^2 — ünïcödé, \$HOME \`x\` %d\\n and"
check ten bars 40 'units that replace 1 a100-sxm-80gb'
check ten-sweep latency 200 'E2E latency [ms]' 'ITL [ms]' 'mean <= 9,000 ms' 'p99.9 <= 300 ms' 'a "quoted" id' 'comma, id'
check ten-sweep pareto 60 'TPOT, p50 [ms]' 'back\slash'
draw one-point latency svg
draw one-point pareto text
draw one-cell heat text
grep -q 4.67 "$work/text" || complain "the one cell has no number"

# Data of a run: quantiles rise with their values, means are below what was most; points lie under the roof.
awk -F, 'NR == 1 { if ($0 != "gpu,series,verdict,metric,quantile,value_ms") exit 1; next }
	$1 $4 == was && ($5 <= q || $6 < x) { exit 1 } { was = $1 $4; q = $5; x = $6; n++ } END { if (n < 1000) exit 1 }' "$work/run/cdf.csv" ||
	complain "cdf.csv is not in order"
awk -F, 'NR > 1 && ($4 > $5 || $6 > $7 || $8 > $9 || $9 > 1) { exit 1 } END { if (NR != 121) exit 1 }' "$work/run/timeline.csv" ||
	complain "timeline.csv is not in order"
awk -F, 'NR > 1 && $4 == "" { n++; if ($6 > $8 || $6 > $5 * $9) exit 1 } END { if (n != 6) exit 1 }' "$work/run/roofline.csv" ||
	complain "roofline.csv is not in order"

# What lies beyond the first overloaded point is in the data, and marked; what never ran has no value, not 0.
awk -F, '$1 == 1 && $6 == "l4-24gb" { n++; if ($7 < x) exit 1; x = $7; over += $11 > 0; last = $11 }
	$6 == "t4-16gb" && $8 != "" { exit 1 }
	END { if (n != 7 || over != 5 || last != 5) exit 1 }' "$work/sweep/latency.csv" || complain "latency.csv is not in order"
# The steps of the cost: a fleet stands from the last rate that a smaller one was seen to hold; none holds: the last one's.
awk -F, '$2 == "l40s-48gb" { steps += was && $5 != was && $1 == at; was = $5; at = $1; if ($8 == "false") lost++ }
	END { if (steps != 1 || lost < 10) exit 1 }' "$work/replace/cost.csv" || complain "cost.csv has no steps"

# All kinds beside the result, and a picture by hand; as text nothing is left behind; a document from a pipe.
cp tests/plots/replace.json "$work/result.json"
"$infercap" plot "$work" >"$work/list" && [ "$(sort "$work/list" | tr '\n' ' ')" = "$work/bars.svg $work/cost.svg " ] ||
	complain "a folder: $(cat "$work/list")"
(cd "$work" && LC_ALL=C.UTF-8 gnuplot -e 'OUT="hand.png"' cost.gp 2>&1) && [ "$("$ink" "$work/hand.png")" -ge 25 ] ||
	complain "no picture by hand"
mkdir "$work/tmp" "$work/here"
(cd "$work/here" && TMPDIR="$work/tmp" "$infercap" plot - --format text <../result.json) >"$work/text" || complain "no text of a pipe"
[ -z "$(ls "$work/here" "$work/tmp" | grep -v :)" ] || complain "text leaves $(ls "$work/here" "$work/tmp")"
"$infercap" plot "$work" --kind cost --format pdf --json --out "$work/j/k" | grep -qF "\"picture\": \"$work/j/k/cost.pdf\"" ||
	complain "--json does not name the picture"

# refused STATUS MESSAGE ARGUMENTS...; $path is where the program finds others.
path=$PATH
refused() {
	status=$1 message=$2
	shift 2
	PATH=$path "$infercap" plot "$@" >"$work/text" 2>"$work/err"
	got=$?
	[ $got = "$status" ] && [ ! -s "$work/text" ] && grep -qF -e "$message" "$work/err" ||
		complain "plot $*: $got, $(cat "$work/err" "$work/text")"
}

head -c 3000 tests/plots/sweep.json >"$work/cut.json"
echo '[1, 2]' >"$work/list.json"
refused 2 'cut.json:' "$work/cut.json"
refused 2 'list.json:1:1: this is no result' "$work/list.json"
refused 2 'no data for heat: that comes from sweep --over' tests/plots/replace.json --kind heat
refused 2 'no data for cdf: that comes from run --out' tests/plots/replace.json --kind cdf
refused 2 'did you mean "latency"' tests/plots/sweep.json --kind latencies
refused 2 'did you mean "png"' tests/plots/sweep.json --format pgn
refused 2 'cannot be opened' "$work/none.json"
refused 2 'cannot be opened' "$work/tmp"
refused 3 'cannot be written' tests/plots/sweep.json --out "$work/cut.json/x"
path=$work/tmp
refused 3 'gnuplot is missing' tests/plots/sweep.json --out "$work/bare"
[ -s "$work/bare/pareto.csv" ] && [ -s "$work/bare/pareto.gp" ] && [ "$(ls "$work/bare" | wc -l)" = 4 ] ||
	complain "without gnuplot: $(ls "$work/bare")"
exit $bad
