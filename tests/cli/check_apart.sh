#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows that check constants fit none: no fitted figure names a table of workloads/measured/check as what it was fitted to, only
# validate reads that folder, and calibrate answers the same bytes without it and with a ruined one.
set -u
infercap=${INFERCAP:?the built program}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "check_apart: $*"
	bad=1
}

# A table in check/ may be named where its other half, in fit/, is what the figure was fitted to. Figures are a line each.
fitted() {
	cat "$@" | grep '"origin": "fitted"'
}
unlawful() { # TABLE, lines on stdin
	whole="(^|[^a-z0-9.-])$1([^a-z0-9.-]|\$)"
	if [ -e "workloads/measured/fit/$1.csv" ]; then
		grep -E "$whole" | grep -vE "fit half of $1([^a-z0-9.-]|\$)"
	else
		grep -E "$whole"
	fi
}
fitted gpus/*.json workloads/engines/*.json >"$work/fitted"
[ "$(wc -l <"$work/fitted")" -gt 100 ] || complain "fitted figures are not found any more"
for table in workloads/measured/check/*.csv; do
	name=$(basename "$table" .csv)
	unlawful "$name" <"$work/fitted" >"$work/found" && complain "fitted to what checks it, $name: $(cat "$work/found")"
done
echo '"mfu": {"value": 1, "origin": "fitted", "source": "argonne, all rows"}' | unlawful argonne >"$work/found" ||
	complain "a figure fitted to a check table is let through"
echo '"mfu": {"value": 1, "origin": "fitted", "source": "qwen3-14b-h100, all rows"}' | unlawful qwen3-14b-h100 >"$work/found" ||
	complain "a figure fitted to both halves is let through"

# Both folders are read by validate alone.
grep -rl 'measured_tables_read(' sim --include='*.c' | sort >"$work/readers"
printf '%s\n' sim/command/validate.c sim/scenario/measured_tables.c | cmp -s - "$work/readers" ||
	complain "others than validate read all tables: $(cat "$work/readers")"

# The program's data, by links, but for the folder of the measurements.
mkdir -p "$work/data/workloads/measured"
for entry in gpus plots workloads/engines workloads/models workloads/measured/fit workloads/measured/traces workloads/measured/rules.json; do
	[ ! -e "$entry" ] || ln -s "$PWD/$entry" "$work/data/$entry"
done
cp workloads/measured/fit/splitwise.json "$work/"
awk -F, 'NR == 1 || /^h100-sxm-80gb,llama-2-70b,8,1,[0-9]*,128,,/' workloads/measured/fit/splitwise.csv >"$work/splitwise.csv"
[ "$(wc -l <"$work/splitwise.csv")" -gt 4 ] || complain "no rows to fit to"
calibrate() { # DATA NAME
	INFERCAP_DATA=$1 "$infercap" calibrate "$work/splitwise.json" --measured "$work/splitwise.csv" --quiet --json \
		--out "$work/$2" >"$work/$2.json" || complain "calibrate with $2: exit status $?"
}
calibrate "$PWD" whole
calibrate "$work/data" without
mkdir "$work/data/workloads/measured/check"
for table in workloads/measured/check/*; do
	echo 'nothing that could be read' >"$work/data/$table"
done
calibrate "$work/data" ruined
for with in without ruined; do
	cmp -s "$work/whole.json" "$work/$with.json" || complain "the answer leans on measured/check: $with"
	diff -r "$work/whole" "$work/$with" >/dev/null || complain "the overlay leans on measured/check: $with"
done
exit $bad
