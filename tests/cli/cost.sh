#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What things cost, as each command prints it: how it is paid, owned machines, --price, the idle part. CSVs, by column.
set -u
: "${INFERCAP:=build/release/infercap}"
[ -x "$INFERCAP" ] || { echo "$INFERCAP is not built"; exit 1; }
INFERCAP_DATA=${INFERCAP_DATA:-$PWD}
export INFERCAP_DATA
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

# ask COMMAND SCENARIO OPTIONS...: its CSV, quoted texts left out.
ask() {
	said=$*
	timeout 120 "$INFERCAP" "$@" --quiet --csv "$work/whole" >"$work/out" 2>"$work/err" &&
		sed 's/"[^"]*"/text/g' "$work/whole" >"$work/csv" && return
	echo "$said: fails: $(cat "$work/err")"
	bad=1
}

# is GPU COLUMN VALUE: within 0.01 %; "-" is an empty field.
is() {
	awk -F, -v gpu="$1" -v column="$2" -v wanted="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		$1 == gpu || $2 == gpu { found = $at; rows++ }
		END {
			if (!at || rows != 1) print "no column, or not one row"
			else if (wanted == "-" ? found != "" : (found - wanted) ^ 2 > (1e-4 * wanted) ^ 2 || found == "")
				print found
		}' "$work/csv" >"$work/found"
	[ -s "$work/found" ] || return
	echo "$said: $1 $2 is $(cat "$work/found"), expected $3"
	bad=1
}

short="--set traffic.requests=2000 --set traffic.warmup=0 --set slo=null"
chat=workloads/chat-llama3-8b.json
owned=workloads/owned-h100.json

# 270,000 / (4 x 8,766) + 10.2 x 1.58 x 0.0806 = 8.99914 $/h a machine of eight; on AWS 8 x p5.4xlarge at 6.88.
ask run $owned $short --replications 1
is our-h100 cost.usd_per_hour 8.99914
is our-h100 cost.usd_per_hour_share 8.99914
is h100-sxm-80gb cost.usd_per_hour 55.04
ask run $owned $short --replications 1 --set deployment.replicas=9 --set traffic.arrivals.rate=1 --gpu h100 --set prices.owned[0].gpu=h100
is h100-sxm-80gb cost.usd_per_hour 17.99828
is h100-sxm-80gb cost.usd_per_hour_share 10.12403
ask capacity $owned --replications 1 --set deployment.replicas=1
is our-h100 usd_per_hour 8.99914
is h100-sxm-80gb usd_per_hour 6.88
ask replace $owned --from a100 --to h100 --set prices.owned[0].gpu=h100 --set slo=null --set traffic.requests=2000
is h100-sxm-80gb usd_per_hour 8.99914
is h100-sxm-80gb usd_per_hour_share 1.124892
"$INFERCAP" fleet $owned --gpu l4 --set traffic.requests=100 2>&1 | grep -q 'has no GLPK' || {
	ask fleet $owned --set traffic.requests=10000
	is our-h100 usd_per_hour 8.99914
	is h100-sxm-80gb usd_per_hour 20.64
}
ask run $owned $short --replications 1 --price our-h100=2.5
is our-h100 cost.usd_per_hour 20

# By spot, reserved, and a given price; 2 requests/s at 0.70 $/h are 0.0972 $ a thousand.
ask run $chat $short --replications 1 --gpu l4 --set prices.billing=spot
is l4-24gb cost.usd_per_hour 0.3106
ask run $chat $short --replications 1 --gpu l4 --gpu h100 --set prices.billing=reserved --set prices.providers=all
is l4-24gb cost.usd_per_hour -
is l4-24gb cost.usd_per_1k_requests -
is h100-sxm-80gb cost.usd_per_hour 2.24
ask run $chat $short --replications 1 --gpu l4 --price l4=0.70 --set traffic.arrivals.process=constant --set traffic.arrivals.rate=0.5
is l4-24gb cost.usd_per_hour 0.70
is l4-24gb cost.usd_per_1k_requests 0.388889
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		whole = $at["cost.usd_per_1k_requests"]; floor = $at["cost.usd_per_1k_requests_saturated"]
		idle = $at["cost.usd_per_1k_requests_idle"]; share = $at["cost.idle_share"]
		if (!(floor > 0 && idle > 0) || (floor + idle - whole) ^ 2 > 1e-16 || (idle / whole - share) ^ 2 > 1e-16) exit 1
	}' "$work/csv" || { echo "$said: the floor and the idle part do not add up"; bad=1; }
ask run $chat $short --replications 1 --gpu l4 --set traffic.arrivals.rate=20
is l4-24gb cost.usd_per_1k_requests_idle -
# A number of units that chance leaves open upward has no upper end.
ask replace $chat --from a100 --to l4 --set traffic.input=1 --set traffic.output=1 --set 'engine={"max_num_seqs":64}'
! grep -w inf "$work/out" || { echo "$said: prints an infinite number"; bad=1; }
exit $bad
