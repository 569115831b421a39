#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pictures of replace and run: data, script and drawing side by side; without gnuplot the data, one line of advice and exit 3.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
	echo "plot: $*"
	exit 1
}

cat >"$work/s.json" <<'EOF'
{"name": "short answers", "model": "llama-3.1-8b", "gpus": "l4",
 "traffic": {"arrivals": {"process": "poisson", "rate": 1}, "input": 256, "output": 32},
 "slo": {"ttft_ms": {"p90": 1000}}}
EOF
ask() { "$infercap" replace "$work/s.json" --from a10g --to l4 --quiet --out "$1" >"$work/text" 2>"$work/err"; }

if command -v gnuplot >/dev/null; then
	ask "$work/out" || fail "replace --out ends with $?: $(cat "$work/err")"
	for name in result.json result.csv cost.csv cost.gp cost.svg bars.csv bars.gp bars.svg; do
		[ -s "$work/out/$name" ] || fail "$name is missing or empty"
	done
	[ "$(ls "$work/out" | wc -l)" = 8 ] || fail "other files stand there: $(ls "$work/out")"
	grep -q 'a10g-24gb' "$work/out/cost.svg" && grep -q 'l4-24gb' "$work/out/cost.svg" || fail "the key lacks a GPU"
	grep -q 'Cost \[US\$ per 1,000 requests\]' "$work/out/cost.svg" || fail "the axis has no unit"
	# A blank picture has no points: 20 rates of two GPUs, but for those that no fleet holds.
	[ "$(grep -c "<use xlink:href='#gpPt" "$work/out/cost.svg")" -ge 30 ] || fail "the picture is blank"
	(cd "$work/out" && gnuplot -e 'OUT="cost.png"' cost.gp) && [ -s "$work/out/cost.png" ] || fail "no PNG by hand"
fi

# A sweep draws what it is over: the load, or two parameters of a replacement.
sweep() { "$infercap" sweep "$work/s.json" --set traffic.requests=2000 --replications 1 --quiet --out "$@" >"$work/text" 2>"$work/err"; }
if command -v gnuplot >/dev/null; then
	sweep "$work/load" --gpu l4 --gpu a10g --over traffic.arrivals.rate=1,2,4 || fail "sweep: $(cat "$work/err")"
	[ -s "$work/load/latency.svg" ] && [ -s "$work/load/pareto.svg" ] || fail "a sweep draws $(ls "$work/load")"
	awk -F, 'NR > 1 { n++ } END { exit n != 6 }' "$work/load/pareto.csv" || fail "pareto.csv has not six points"
	sweep "$work/map" --from a10g --to l4 --over traffic.input=128,256 --over traffic.output=16,32 || fail "map: $(cat "$work/err")"
	[ -s "$work/map/heat.svg" ] && grep -q 'traffic.output \[tokens\]' "$work/map/heat.svg" || fail "a map draws $(ls "$work/map")"
	awk -F, 'NR > 1 && $7 > 0 && $10 == "ok" { n++ } END { exit n != 4 }' "$work/map/heat.csv" || fail "heat.csv has not four ratios"
fi

# 20 rates a GPU, rising; the cost is the price over the rate.
ask "$work/data" || [ $? = 3 ] || fail "replace: $(cat "$work/err")"
awk -F, 'NR == 1 { if ($0 != "rate_rps,gpu,series,units,gpus,usd_per_hour,usd_per_1k_requests,holds,simulated") exit 1; next }
	{ n[$2] += $9 == "true"; cost = $6 / 3.6 / $1; if ((cost - $7) ^ 2 > 1e-12 * cost ^ 2) exit 1 }
	END { if (n["l4-24gb"] != 20 || n["a10g-24gb"] != 20) exit 1 }' "$work/data/cost.csv" || fail "cost.csv is not what it should be"

# A run keeps what its pictures need in result.json, and not in what --json prints.
run() { "$infercap" run "$work/s.json" --set traffic.requests=400 --quiet "$@" 2>"$work/err"; }
run --json >"$work/lean" && run --json --out "$work/run" >"$work/json" || [ $? = 3 ] || fail "run: $(cat "$work/err")"
for part in distribution timeline roofline; do
	! grep -q "\"$part\"" "$work/lean" && grep -q "\"$part\"" "$work/run/result.json" || fail "$part is missing, or printed"
done
if command -v gnuplot >/dev/null; then
	for kind in cdf roofline timeline; do
		[ -s "$work/run/$kind.csv" ] && [ -s "$work/run/$kind.gp" ] && [ -s "$work/run/$kind.svg" ] || fail "run --out draws no $kind"
	done
	cmp -s "$work/lean" "$work/json" || fail "--json is another document with --out"
	[ "$(ls "$work/run" | wc -l)" = 11 ] || fail "other files stand there: $(ls "$work/run")"
fi

# A fleet of two kinds: one line of each latency, two roofs.
sed 's/"gpus": "l4"/"pools": [{"name": "small", "gpu": "l4"}, {"name": "large", "gpu": "a100"}]/' "$work/s.json" >"$work/mixed.json"
"$infercap" run "$work/mixed.json" --set traffic.requests=400 --quiet --out "$work/mixed" >"$work/text" 2>"$work/err" || [ $? = 3 ] ||
	fail "pools: $(cat "$work/err")"
[ "$(awk -F, 'NR > 1 && !seen[$1]++ { n++ } END { print n }' "$work/mixed/roofline.csv")" = 2 ] &&
	[ "$(awk -F, 'NR > 1 && !seen[$1]++ { n++ } END { print n }' "$work/mixed/cdf.csv")" = 1 ] || fail "pools are not told apart"

mkdir "$work/bin"
PATH="$work/bin" "$infercap" replace "$work/s.json" --from a10g --to l4 --quiet --out "$work/none" >"$work/text" 2>"$work/err"
[ $? = 3 ] || fail "without gnuplot the exit status is not 3"
grep -q 'gnuplot' "$work/err" && [ -s "$work/none/cost.csv" ] && [ -s "$work/none/cost.gp" ] || fail "without gnuplot: no data or no advice"
exit 0
