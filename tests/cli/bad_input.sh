#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bad_input.sh [--update] [NAME...]: what a mistake gets, case by case (tests/bad-input/README.md has the format).
# Each case runs in an empty folder with a time limit; exit status, stderr and stdout must be the expected
# ones to the byte, and no file may be left behind. --update rewrites the expected texts, never the status.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cases=$root/tests/bad-input
: "${INFERCAP:=$root/build/release/infercap}"
[ -x "$INFERCAP" ] || { echo "$INFERCAP is not built"; exit 1; }
LC_ALL=C
NO_COLOR=1
INFERCAP_DATA=$root
export LC_ALL NO_COLOR INFERCAP_DATA
update=no
[ "${1:-}" = --update ] && { update=yes; shift; }
work=$(mktemp -d) || exit 2
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
ran=0 failed=0

# Cuts the case into $work/part/: head, setup, out, out_has, err; input files go straight to $work/run/.
split() {
	awk -v part="$work/part/" -v run="$work/run/" '
		BEGIN { to = part "head" }
		/^--- file / { to = run substr($0, 10); printf "" > to; next }
		/^--- setup$/ { to = part "setup"; next }
		/^--- stdout$/ { to = part "out"; printf "" > to; next }
		/^--- stdout has$/ { to = part "out_has"; next }
		/^--- stderr$/ { to = part "err"; printf "" > to; next }
		/^---/ { print "unknown section: " $0 > "/dev/stderr"; exit 1 }
		{ print > to }' "$1"
}

header() { sed -n "s/^$1: //p" "$work/part/head"; }

complain() {
	[ "$good" = yes ] && echo "FAILED $name"
	echo "  $*"
	good=no
}

# s.json is good.json with the case's `edit` lines (sed) applied: the case shows only what is wrong.
make_scenario() {
	header edit >"$work/part/edit"
	[ -s "$work/part/edit" ] || return 0
	sed -f "$work/part/edit" "$cases/good.json" >"$work/run/s.json"
	! cmp -s "$cases/good.json" "$work/run/s.json" || complain "its edit changes nothing"
}

files_of() { (cd "$work/run" && find . | sort); }

run_case() {
	(
		cd "$work/run" || exit 125
		[ ! -e ../part/setup ] || . ../part/setup
	)
	files_of >"$work/part/before"
	(
		cd "$work/run" || exit 125
		environment=$(header env)
		[ -z "$environment" ] || eval "export $environment"
		eval "set -- $(header args)"
		exec timeout 20 "$INFERCAP" "$@" <"${stdin:-/dev/null}"
	) >"$work/stdout" 2>"$work/stderr"
	status=$?
	files_of >"$work/part/after"
	sed "s|$root|ROOT|g" "$work/stdout" >"$work/part/out_got"
	sed "s|$root|ROOT|g" "$work/stderr" >"$work/part/err_got"
}

compare() { # WHAT expected got
	[ -e "$2" ] || printf '' >"$2"
	cmp -s "$2" "$3" && return
	complain "$1 differs (-expected +got):"
	diff -u "$2" "$3" | sed -n '3,$s/^/    /p'
}

judge() {
	wanted=$(header status)
	[ "$status" = "$wanted" ] || complain "exit status $status, expected $wanted"
	[ "$status" -lt 124 ] || complain "it crashed or did not end within 20 s"
	cmp -s "$work/part/before" "$work/part/after" || complain "it left files:" \
		"$(diff "$work/part/before" "$work/part/after" | tr '\n' ' ')"
	if [ -e "$work/part/out_has" ]; then
		while IFS= read -r line; do
			grep -qF -e "$line" "$work/part/out_got" || complain "stdout lacks: $line"
		done <"$work/part/out_has"
	elif [ $update = no ]; then
		compare stdout "$work/part/out" "$work/part/out_got"
	fi
	[ $update = yes ] || compare stderr "$work/part/err" "$work/part/err_got"
}

# The case as it stands up to its expected texts, then what came.
rewrite() {
	{
		sed '/^--- stdout$/,$d; /^--- stderr$/,$d' "$1"
		if [ ! -e "$work/part/out_has" ] && [ -s "$work/part/out_got" ]; then
			echo "--- stdout"
			cat "$work/part/out_got"
		fi
		if [ -s "$work/part/err_got" ]; then
			echo "--- stderr"
			cat "$work/part/err_got"
		fi
	} >"$work/new"
	cmp -s "$work/new" "$1" || { cat "$work/new" >"$1"; echo "updated $name"; }
}

one() {
	name=$(basename "$1" .case) good=yes
	chmod -R u+rwx "$work"/run 2>/dev/null
	rm -rf "$work/run" "$work/part"
	mkdir "$work/run" "$work/part"
	cp "$cases/good.json" "$work/run/"
	split "$1" || { complain "cannot be read"; failed=$((failed + 1)); return; }
	stdin=$(header stdin)
	[ -z "$stdin" ] || stdin=$work/run/$stdin
	make_scenario
	run_case
	judge
	[ $update = no ] || rewrite "$1"
	ran=$((ran + 1))
	[ $good = yes ] || failed=$((failed + 1))
}

if [ $# = 0 ]; then
	for case in "$cases"/*.case; do one "$case"; done
else
	for case in "$@"; do one "$cases/$case.case"; done
fi
echo "$ran cases, $failed failed"
[ $failed = 0 ] && [ $ran -gt 0 ]
