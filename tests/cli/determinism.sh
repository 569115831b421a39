#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Same seed, same bytes, for any --jobs; another seed, other bytes.
set -u
: "${INFERCAP:=build/release/infercap}"
[ -x "$INFERCAP" ] || { echo "$INFERCAP is not built"; exit 1; }
INFERCAP_DATA=${INFERCAP_DATA:-$PWD}
export INFERCAP_DATA
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

cat >"$work/s.json" <<'END'
{
  "model": "llama-3.1-8b",
  "gpus": ["l4", "l40s", "a100"],
  "engine": {"base": "vllm", "max_num_seqs": 32},
  "traffic": {
    "arrivals": {"process": "gamma", "rate": 1.2, "cv": 1.5},
    "input": {"dist": "lognormal", "mean": 700, "cv": 0.9, "max": 4096},
    "output": {"dist": "exponential", "mean": 120, "max": 1024},
    "requests": 1500
  },
  "slo": {"e2e_ms": {"p50": 6000}}
}
END

# say NAME ARGS...: the document goes to $work/NAME
say() {
	name=$1
	shift
	timeout 120 "$INFERCAP" "$@" --json --quiet >"$work/$name" 2>"$work/$name.err" || {
		echo "$* failed:"
		cat "$work/$name" "$work/$name.err"
		bad=1
	}
	[ -s "$work/$name" ] || { echo "$*: nothing on stdout"; bad=1; }
}

same() {
	cmp -s "$work/$1" "$work/$2" && return
	echo "$1 and $2 differ:"
	diff "$work/$1" "$work/$2" | head -n 6
	bad=1
}

differs() {
	! cmp -s "$work/$1" "$work/$2" && return
	echo "$1 and $2 are the same bytes"
	bad=1
}

for jobs in 1 2 4; do
	say run-jobs-$jobs run "$work/s.json" --replications 4 --jobs $jobs
done
same run-jobs-1 run-jobs-2
same run-jobs-1 run-jobs-4
say run-again run "$work/s.json" --replications 4 --jobs 4
same run-jobs-4 run-again
say run-seed-1 run "$work/s.json" --replications 4 --seed 1
same run-jobs-1 run-seed-1
say run-seed-2 run "$work/s.json" --replications 4 --seed 2
differs run-jobs-1 run-seed-2
# The seed in the document aside, the figures differ too.
grep -v seed "$work/run-seed-1" >"$work/figures-1"
grep -v seed "$work/run-seed-2" >"$work/figures-2"
differs figures-1 figures-2

for jobs in 1 2 4; do
	say replace-jobs-$jobs replace "$work/s.json" --from a100 --to l40s --jobs $jobs
done
same replace-jobs-1 replace-jobs-2
same replace-jobs-1 replace-jobs-4

for jobs in 1 2 4; do
	say capacity-jobs-$jobs capacity "$work/s.json" --replications 2 --jobs $jobs
done
same capacity-jobs-1 capacity-jobs-2
same capacity-jobs-1 capacity-jobs-4

for jobs in 1 2 4; do
	say sweep-jobs-$jobs sweep "$work/s.json" --over traffic.arrivals.rate=0.5:8:4:log \
		--over traffic.output.mean=60,120 --replications 2 --jobs $jobs --csv "$work/sweep-csv-$jobs"
	say sweep-from-jobs-$jobs sweep "$work/s.json" --over traffic.output.mean=60,120 --from a100 --to l40s \
		--jobs $jobs
done
for jobs in 2 4; do
	same sweep-jobs-1 sweep-jobs-$jobs
	same sweep-csv-1 sweep-csv-$jobs
	same sweep-from-jobs-1 sweep-from-jobs-$jobs
done

for jobs in 1 2; do
	timeout 120 "$INFERCAP" run "$work/s.json" --replications 2 --jobs $jobs --quiet \
		--csv "$work/csv-$jobs" >"$work/table-$jobs" || bad=1
done
same csv-1 csv-2
same table-1 table-2
exit $bad
