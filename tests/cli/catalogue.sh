#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# infercap gpus, models, engines, prices: every entry is listed, one is shown with its sources, --json is one document.
INFERCAP_DATA=. export INFERCAP_DATA
set -u
infercap=${INFERCAP:=build/release/infercap}
out=$(mktemp -d) || exit 99
trap 'rm -rf "$out"' EXIT
bad=0
fail() { echo "FAILED: $*"; bad=1; }

# run STATUS ARGUMENT... : stdout in $out/text, stderr in $out/error.
run() {
	wanted=$1
	shift
	"$infercap" "$@" >"$out/text" 2>"$out/error"
	status=$?
	[ "$status" -eq "$wanted" ] || fail "infercap $*: exit $status, not $wanted: $(cat "$out/error")"
	said="infercap $*"
}
has() { grep -q -e "$1" "$out/text" || fail "$said: no line with '$1'"; }
lines() { [ "$(grep -c -e "$2" "$out/text")" -eq "$1" ] || fail "$said: not $1 lines with '$2'"; }

run 0 gpus
for file in gpus/*.json; do has "^$(basename "$file" .json) "; done
has '^l4-24gb  *Ada Lovelace  *23.65  *300.0  *121.0  *0.40  *0.93  *72  *0.705$'
run 0 gpus l4
has '^memory_gb  *23.6545  *0.0054  decimal GB  *measured  *22.03 GiB total as the CUDA runtime reports it$'
has '^idle_w  *36  *10.8  W  *assumed'
has 'NVIDIA L4 product page'
has '^  tdp_w  *72$'
run 0 gpus --json h100
has '"infercap": "[0-9]'
has '"command": "gpus"'
has '"scenario": null'
lines 1 '"id": "h100-sxm-80gb"'

run 0 models
for file in workloads/models/*.json; do has "^$(basename "$file" .json) "; done
has '^llama-3.1-8b  *8.03  *8.03  *32  *131,072  *131,072  yes$'
has '^mixtral-8x7b  *46.7  *12.9 '
has '^gemma-3-27b .* not in this version$'
run 0 models meta-llama/Llama-3.1-8B-Instruct
has '^  kv_bytes_per_token  *131072$'
run 0 models --json
lines 68 '"params_published": '

run 0 engines
for file in workloads/engines/*.json; do has "^$(basename "$file" .json) "; done
run 0 engines vllm
has '^layer_us  *34.7  *6.6  us  *fitted  *fit half of qwen3-14b-h100: Qwen3-14B on one H100,$'

run 0 prices
has '^l4-24gb  *AWS  *us-east-1  *g6.xlarge  *1  *0.8048  *0.8048  on-demand  *2026-07-20$'
has '^h100-sxm-80gb  *Vast.ai  *any  *1x  *1  *2.402 '
has '^381 current prices; 245 further rows of the book are not current'
lines 290 ' on-demand  '
run 0 prices a100-sxm-80gb
has '^AWS  *us-east-1  *p4de.24xlarge  *8  *40.97  *5.121  *on-demand  *2025-04-28  *no: a newer row follows'
has '^AWS  *us-east-1  *p4de.24xlarge  *8  *27.45  *3.431  *on-demand  *2026-07-20  *yes'
has 'AWS price list API'
run 0 prices l4
has '^on-demand  *1  *0.7045  *0.7429  *0.8720$'
has '^spot  *1  *0.3106  *0.3899  *0.5233$'
has '^3y reserved  *1  *-  *-  *-$'
has '^GCP  *us-east4  *g2-standard-4  *1  *0.3106  *0.3106  *spot  *2026-08-03  *yes'
run 0 prices h100
has '^3y reserved  *8  *17.92  *17.92  *17.92$'
has '^Paperspace  *NY2/CA1/AMS1  *HGX H100  *1  *2.240  *2.240  *3y reserved  *2026-09-20  *yes'
run 0 prices a16
has 'no row of a16-4x16gb'
run 0 prices --json
lines 626 '"usd_per_hour": '
lines 381 '"current": true'

run 2 gpus l5
[ -s "$out/text" ] && fail "$said: text on standard output"
grep -q 'did you mean "l4-24gb"' "$out/error" || fail "$said: no nearest name: $(cat "$out/error")"
run 2 prices nothing
run 2 models sdxl --json
has '"message": "sdxl-base-1.0 is a one-shot model, not in this version"'
[ -s "$out/error" ] && fail "$said: text on standard error"
run 2 engines triton
exit $bad
