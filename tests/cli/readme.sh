#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every ```sh block of README.md and docs/ runs, and the ```text block behind it is what it prints. --update rewrites the
# texts. The C library's arithmetic variants are pinned, so that processors agree on every digit. ```sh slow is left out.
set -u
infercap=${INFERCAP:?the built program}
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable NO_COLOR=1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# Runs the block in $work/block; its output goes to $work/out.
run_block() {
	sed "s|^\\./infercap|\"$infercap\"|" "$work/block" >"$work/script"
	sh -e "$work/script" >"$work/out" 2>"$work/err" && return 0
	echo "$file: this block fails:"
	cat "$work/block" "$work/err"
	bad=1
}

# Copies $file to $work/new with the text blocks as printed now.
walk() {
	state=text
	: >"$work/new"
	while IFS= read -r line || [ -n "$line" ]; do
		case $state:$line in
		text:'```sh')
			state=sh
			: >"$work/block"
			;;
		sh:'```')
			state=text
			run_block
			fresh=1
			;;
		sh:*) printf '%s\n' "$line" >>"$work/block" ;;
		text:'```text')
			printf '%s\n' "$line" >>"$work/new"
			[ "${fresh:-0}" = 1 ] && sed 's/[[:space:]]*$//' "$work/out" >>"$work/new"
			state=skip
			[ "${fresh:-0}" = 1 ] || state=copy
			continue
			;;
		skip:'```' | copy:'```') state=text fresh=0 ;;
		skip:*) continue ;;
		esac
		printf '%s\n' "$line" >>"$work/new"
	done <"$file"
}

for file in README.md docs/*.md; do
	[ -e "$file" ] || continue
	walk
	if [ "${1:-}" = --update ]; then
		cmp -s "$work/new" "$file" || cp "$work/new" "$file"
	elif ! cmp -s "$work/new" "$file"; then
		echo "$file does not show what its commands print (sh tests/cli/readme.sh --update):"
		diff "$file" "$work/new" | head -n 40
		bad=1
	fi
done
exit $bad
