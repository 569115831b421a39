#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The constants in gpus/ are what `calibrate --kernels` finds in the kernel tables, and what it writes is a catalogue.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

complain() {
	echo "$*"
	bad=1
}

# Lines that differ by more than a hundredth in a number, or in anything else.
differ() {
	paste -d '\t' "$1" "$2" | awk -F '\t' '
		$1 == $2 { next }
		{
			a = $1; b = $2
			gsub(/[-+0-9.e]+/, "#", a); gsub(/[-+0-9.e]+/, "#", b)
			x = $1; y = $2
			sub(/.*: /, "", x); sub(/.*: /, "", y)
			d = x - y
			if (d < 0) d = -d
			if (a == b && d <= 0.01 * (x < 0 ? -x : x)) next
			print
		}'
}

for table in workloads/measured/fit/kernels/*.csv; do
	gpu=$(basename "$table" .csv)
	"$infercap" calibrate --kernels "$table" --out "$work/own" >"$work/out" || complain "$gpu: exit status $?"
	! grep -q "did not settle" "$work/out" || complain "$gpu: the fit did not settle"
	"$infercap" gpus "$gpu" --json >"$work/catalogue"
	"$infercap" gpus "$gpu" --json --catalog "$work/own" >"$work/fitted" || complain "$gpu: its overlay is refused"
	differ "$work/catalogue" "$work/fitted" >"$work/differ"
	[ ! -s "$work/differ" ] || complain "$gpu: the catalogue is not what its kernels give:" "$(cat "$work/differ")"
done
"$infercap" calibrate --kernels workloads/measured/fit/kernels/l40s-48gb.csv --gpu l40s --json >"$work/json"
grep -q '"constant": "mbu"' "$work/json" || complain "--json names no constant"
exit $bad
