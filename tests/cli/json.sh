#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --json is one document on stdout and nothing else there; scripts rely on the names in it.
set -u
: "${INFERCAP:=build/release/infercap}"
[ -x "$INFERCAP" ] || { echo "$INFERCAP is not built"; exit 1; }
INFERCAP_DATA=${INFERCAP_DATA:-$PWD}
export INFERCAP_DATA
good=tests/bad-input/good.json
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "$*"
	bad=1
}

# One JSON document and a line end: brackets that balance outside of texts, nothing before or after.
is_one_document() {
	awk '
		{
			n = length($0)
			for (i = 1; i <= n; i++) {
				c = substr($0, i, 1)
				if (text) {
					if (c == "\\") i++
					else if (c == "\"") text = 0
				} else if (c == "\"") {
					text = 1
					if (!depth) wrong = 1
				} else if (c == "{" || c == "[") {
					if (!depth++ && ended++) wrong = 1
				} else if (c == "}" || c == "]") {
					depth--
				} else if (!depth && c != " ")
					wrong = 1
			}
		}
		END { exit wrong || text || depth || ended != 1 }' "$1"
}

# ask STATUS NAME ARGS...
ask() {
	wanted=$1 name=$2
	shift 2
	timeout 120 "$INFERCAP" "$@" --json >"$work/$name" 2>"$work/$name.err" </dev/null
	status=$?
	[ $status = "$wanted" ] || complain "$*: exit status $status, expected $wanted"
	is_one_document "$work/$name" || complain "$*: not exactly one document on stdout"
	[ ! -s "$work/$name.err" ] || complain "$* on stderr: $(head -n 3 "$work/$name.err")"
}

has() {
	name=$1
	shift
	for key in "$@"; do
		grep -q "\"$key\":" "$work/$name" || complain "$name lacks the key $key"
	done
}

ask 0 run run $good --replications 1
has run infercap command scenario seed results gpu gpus_total resolved max_num_seqs verdict reason bound \
	memory weights_bytes kv_pool_bytes kv_pool_tokens kv_bytes_per_token reserve_bytes \
	requests offered completed rejected truncated preemptions \
	latency ttft_ms queue_ms tpot_ms itl_ms e2e_ms mean p50 p90 p95 p99 max \
	throughput offered_rps saturated_rps requests_per_s output_tokens_per_s total_tokens_per_s \
	output_tokens_per_s_per_gpu goodput attainment utilization busy batch_mean kv_mean kv_max mfu mbu \
	cost usd_per_hour usd_per_hour_share range usd_per_1k_requests usd_per_1m_output_tokens \
	usd_per_1m_tokens idle_share price provider region billing instances instance date source price_share \
	energy watts joules_per_request joules_per_output_token \
	interval level ttft_ms_p99 tpot_ms_p99 interval_constants certain provenance

ask 0 capacity capacity $good --gpu l40s --replications 2 --set slo=null --set slo.e2e_ms.p50=6000
has capacity infercap command scenario seed results gpu replicas tensor_parallel max_rps interval interval_constants largest largest_share limited_by \
	saturated_rps usd_per_1k_requests verdict reason certain simulations at latency offered_rps

ask 0 sweep sweep $good --gpu l40s --replications 1 --set traffic.requests=200 --over traffic.arrivals.rate=1:4:2 \
	--over engine=vllm,vllm-0.8 --csv "$work/sweep.csv"
has sweep infercap command scenario seed results point traffic.arrivals.rate engine gpu resolved verdict latency cost
[ "$(grep -c '"traffic.arrivals.rate": [14],' "$work/sweep")" = 4 ] || complain "sweep has not 4 points of a number"
[ "$(grep -c '"engine": "vllm' "$work/sweep")" = 4 ] || complain "sweep has not 4 points of a text"
[ "$(cut -d, -f1-3 "$work/sweep.csv" | tr '\n' ' ')" = "traffic.arrivals.rate,engine,gpu 1,vllm,l40s-48gb \
1,vllm-0.8,l40s-48gb 4,vllm,l40s-48gb 4,vllm-0.8,l40s-48gb " ] || complain "sweep's CSV: $(cut -d, -f1-3 "$work/sweep.csv")"
"$INFERCAP" sweep - --quiet --gpu l40s --set traffic.requests=50 --over traffic.seed=1,2 --replications 1 <$good \
	>"$work/stdin" 2>&1 || complain "sweep does not read standard input: $(cat "$work/stdin")"

ask 0 ratios sweep $good --from l40s --to l4 --set slo=null --set slo.e2e_ms.p50=6000 --over traffic.seed=1,2
has ratios infercap command scenario seed results point traffic.seed from to max_rps ratio units

ask 0 replace replace $good --from l40s --to l4 --set slo=null --set slo.e2e_ms.p50=6000
has replace infercap command scenario seed from to gpu count tensor_parallel max_rps usd_per_hour \
	units ratio ratio_interval ratio_interval_constants units_interval_constants largest_constant max_rps_each fleet_max_rps rentable_count usd_per_hour_share cost_ratio \
	cost_ratio_share naive bandwidth compute memory limited_by verdict reason
! grep -q '"results":' "$work/replace" || complain "replace has results besides from and to"

ask 0 memory memory llama-3.1-8b --gpu l4
has memory infercap command scenario seed results

ask 0 trace trace workloads/traces/AzureLLMInferenceTrace_conv.csv
has trace format requests skipped span_s rate cv input output mean p50 p90 p99 max

for list in gpus models engines prices; do
	ask 0 $list $list
	has $list infercap command results
done
ask 0 gpu gpus l4
has gpu memory_gb bandwidth_gbs peak_tflops value origin source

# Errors are the document.
ask 2 usage run $good --sed 3
ask 2 scenario run tests/bad-input/README.md
ask 2 unknown models llama-9
ask 2 nothing
for name in usage scenario unknown nothing; do
	has $name error file line column path message found allowed nearest
done
ask 1 strict run $good --replications 1 --strict --set 'slo.ttft_ms={"p99": 0.5}'
exit $bad
