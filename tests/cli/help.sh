#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --help and --version answer on stdout; help names what is built and nothing else.
set -u
: "${INFERCAP:=build/release/infercap}"
[ -x "$INFERCAP" ] || { echo "$INFERCAP is not built"; exit 1; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
	echo "$*"
	bad=1
}

ask() {
	"$INFERCAP" "$@" >"$work/out" 2>"$work/err" </dev/null || complain "$*: exit status $?"
	[ -s "$work/out" ] || complain "$*: nothing on stdout"
	[ ! -s "$work/err" ] || complain "$*: something on stderr"
}

ask --help
for command in run capacity replace fleet sweep memory trace calibrate validate plot gpus models engines prices; do
	grep -q "^  $command " "$work/out" || complain "--help lacks $command"
done
for command in compare report; do
	! grep -q "^ *$command " "$work/out" || complain "--help lists $command, which is not built"
	"$INFERCAP" $command x >"$work/out2" 2>"$work/err2"
	[ $? = 2 ] || complain "$command: not exit status 2"
	grep -q "not in this version" "$work/err2" || complain "$command is not refused by name"
	[ ! -s "$work/out2" ] || complain "$command prints something on stdout"
done

for command in run capacity replace fleet sweep memory trace calibrate validate plot gpus models engines prices; do
	ask $command --help
	head -n 3 "$work/out" | grep -q "infercap $command" || complain "$command --help has no usage"
	[ $command = calibrate ] || ! grep -q -e --measured -e --kernels "$work/out" ||
		complain "$command --help lists an option that is not built"
done
"$INFERCAP" run --help >"$work/out"
for option in --gpu --set --seed --replications --jobs --json --csv --out --strict --quiet --no-color \
	--price --catalog --help --version; do
	grep -q -e "^  $option " "$work/out" || complain "run --help lacks $option"
done

ask --version
grep -qE '^infercap [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || complain "--version says: $(cat "$work/out")"
ask run --version
exit $bad
