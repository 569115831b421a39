#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# calibrate --measured: three results of vllm bench serve, made by a server whose times are known; the overlay gives the
# errors that were promised; rows that check constants are not read.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "calibrate: $*"
	bad=1
}

cat >"$work/s.json" <<'END'
{"model": "qwen3-14b", "gpus": "h100", "engine": "vllm",
 "traffic": {"arrivals": {"process": "poisson", "rate": 1}, "input": 1024, "output": 128}}
END

# What `vllm bench serve --request-rate $1 --num-prompts 1000` would have saved of such a server.
bench() {
	"$infercap" run "$work/s.json" --quiet --seed "$1" --replications 1 --set traffic.arrivals.rate="$1" \
		--set traffic.requests=1000 --set traffic.warmup=0 --set engine.layer_us=42 --set engine.frontend_ms=4.5 \
		--csv "$work/run.csv" >"$work/run.txt" || complain "run: exit status $?"
	awk -F, -v rate="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			printf "{\"model_id\": \"Qwen/Qwen3-14B\", \"num_prompts\": 1000, \"completed\": 1000, \"failed\": 0, "
			printf "\"request_rate\": %s, \"burstiness\": 1.0, \"max_concurrency\": null, ", rate
			printf "\"total_input_tokens\": 1024000, \"total_output_tokens\": 128000, \"request_throughput\": %s", \
				$at["throughput.requests_per_s"]
			for (m = split("ttft tpot", metric, " "); m; m--)
				printf ", \"mean_%s_ms\": %s, \"median_%s_ms\": %s, \"p99_%s_ms\": %s", metric[m], \
					$at["latency." metric[m] "_ms.mean"], metric[m], $at["latency." metric[m] "_ms.p50"], \
					metric[m], $at["latency." metric[m] "_ms.p99"]
			print "}"
		}' "$work/run.csv"
}
for rate in 2 5 8; do bench "$rate" >"$work/rate-$rate.json"; done
cat "$work"/rate-*.json >"$work/all.jsonl"

fit() {
	"$infercap" calibrate "$work/s.json" "$@" --json
}
separately="--measured $work/rate-2.json --measured $work/rate-5.json --measured $work/rate-8.json"
# shellcheck disable=SC2086
fit $separately --out "$work/own" >"$work/fit.json" 2>"$work/err" || complain "exit status $?"
[ ! -s "$work/err" ] || complain "warns: $(cat "$work/err")"
fit --measured "$work/all.jsonl" --jobs 1 >"$work/once.json" || complain "of one file: exit status $?"
sed '/"line"/d' "$work/fit.json" >"$work/a"
sed '/"line"/d' "$work/once.json" >"$work/b"
cmp -s "$work/a" "$work/b" || complain "three files and one of three lines differ"

# After the fit and, with the overlay, before another one.
values() {
	awk -F '[:,]' -v key="\"$1\"" '{ gsub(/ /, "", $1) } $1 == key { printf "%.3f\n", $2 }' "$2"
}
"$infercap" calibrate "$work/s.json" --measured "$work/all.jsonl" --catalog "$work/own" --json >"$work/again.json" ||
	complain "with the overlay: exit status $?"
sed -n '/"figures"/,$p' "$work/fit.json" >"$work/figures"
sed -n '/"figures"/,$p' "$work/again.json" >"$work/again"
values after "$work/figures" >"$work/a"
values before "$work/again" >"$work/b"
[ "$(wc -l <"$work/a")" = 18 ] || complain "not 18 figures: $(wc -l <"$work/a")"
cmp -s "$work/a" "$work/b" || complain "the overlay does not give what the fit promised:" "$(diff "$work/a" "$work/b" | head -4)"

"$infercap" run "$work/s.json" --set traffic.requests=100 --catalog "$work/own" >"$work/text" 2>&1
! grep -q "assumed.*host_factor" "$work/text" || complain "the host is still assumed"
"$infercap" calibrate "$work/s.json" --measured "$work/all.jsonl" >"$work/text" 2>&1
for text in "median before" "layer_us" "3 rows"; do
	grep -q "$text" "$work/text" || complain "\"$text\" is not in what is printed"
done

# A file whose requests failed is used, and a user is told.
sed 's/"completed": 1000/"completed": 900/' "$work/rate-2.json" >"$work/failed.json"
fit --measured "$work/failed.json" 2>"$work/err" >"$work/out" || complain "of failed requests: exit status $?"
grep -q "100 of 1000 requests failed" "$work/err" || complain "failed requests are not told of"
fit --measured "$work/failed.json" --quiet 2>"$work/err" >"$work/out"
[ ! -s "$work/err" ] || complain "--quiet is not"

# Rows that check constants never fit them.
"$infercap" calibrate workloads/measured/check/qwen3-14b-h100.json --measured workloads/measured/check/qwen3-14b-h100.csv \
	>"$work/out" 2>"$work/err"
[ $? = 2 ] || complain "check rows are fitted to"
grep -q "no constant is fitted to them" "$work/err" || complain "check rows are refused without a reason"
exit $bad
