#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cheapest mix: it costs less than fleets of one kind, keeps its limits, says why there is none, and is the same
# for any --jobs. A build without GLPK says so.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
	echo "fleet: $*"
	exit 1
}

cat >"$work/s.json" <<'EOF'
{"name": "short answers", "model": "llama-3.1-8b", "gpus": ["l4", "a100"],
 "traffic": {"arrivals": {"process": "poisson", "rate": 24}, "seed": 3,
             "input": {"dist": "lognormal", "mean": 800, "cv": 1.5, "max": 3500},
             "output": {"dist": "lognormal", "mean": 100, "cv": 1, "max": 500}},
 "slo": {"ttft_ms": {"p50": 1000}, "tpot_ms": {"p50": 80}}}
EOF
ask() { "$infercap" fleet "$work/s.json" --price l4=0.7 --price a100=3.67 --quiet "$@" >"$work/text" 2>"$work/err"; }

ask
status=$?
if grep -q 'no GLPK' "$work/err"; then
	[ $status = 3 ] || fail "without GLPK it ends with $status"
	grep -q 'libglpk-dev' "$work/err" || fail "nothing says how to get GLPK"
	exit 0
fi
[ $status = 0 ] || fail "ends with $status: $(cat "$work/err")"
grep -q ' l4-24gb + 1 a100-sxm-80gb hold 24.0 requests/s at .* % below the cheapest fleet of one kind (2 a100-sxm-80gb, \$7.340/h)' \
	"$work/text" || fail "the answer: $(cat "$work/text")"
grep -q 'router: ' "$work/text" || fail "no router is named"

# Written twice: every file, and the same bytes.
ask --out "$work/one" --jobs 1 --json || fail "--out ends with $?: $(cat "$work/err")"
cp "$work/text" "$work/json"
ask --out "$work/two" --jobs 3 --json || fail "--jobs 3 ends with $?"
cmp -s "$work/json" "$work/text" || fail "--jobs changes the answer"
for name in result.json result.csv fleet.json; do
	[ -s "$work/one/$name" ] || fail "$name is missing or empty"
	cmp -s "$work/one/$name" "$work/two/$name" || fail "--jobs changes $name"
done
[ "$(wc -l <"$work/one/result.csv")" = 4 ] || fail "result.csv is not the mix and two GPUs"

# The answer is a scenario that holds.
"$infercap" run "$work/one/fleet.json" --price l4=0.7 --price a100=3.67 --replications 1 --json --strict >"$work/run" ||
	fail "run of fleet.json ends with $?"
grep -q '"gpu": "[0-9]* l4-24gb + 1 a100-sxm-80gb"' "$work/run" || fail "fleet.json is another fleet"

# Limits: kept, or a no with what they allow.
ask --limit 0:a100 || fail "--limit ends with $?"
grep -q '^[0-9]* l4-24gb hold 24.0 requests/s' "$work/text" || fail "no GPU of limit 0 is the answer: $(cat "$work/text")"
ask --limit 1:a100 --limit 1:l4 --strict
[ $? = 1 ] || fail "--strict does not end with 1"
grep -q 'cannot: the limits allow 1 l4-24gb, 1 a100-sxm-80gb, which hold .* of the 24 requests/s' "$work/text" ||
	fail "what the limits allow: $(cat "$work/text")"

# A load for hundreds of millions of GPUs is told so, at once.
ask --set traffic.arrivals.rate=1e9 || fail "a huge rate ends with $?: $(cat "$work/err")"
grep -q 'by itself: 1e+09 requests/s take at least .* units, fleet counts up to 1000 of a kind' "$work/text" ||
	fail "a huge rate: $(cat "$work/text")"
exit 0
