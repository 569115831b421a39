#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Public traces that are too large for the repository, found in the folder INFERCAP_TRACES under their own names: request
# counts as published. Skipped without the folder.
set -u
infercap=${INFERCAP:?the built program}
traces=${INFERCAP_TRACES:-}
[ -n "$traces" ] || { echo "INFERCAP_TRACES is not set: skipped"; exit 77; }
bad=0 seen=0

# expect FILE FORMAT REQUESTS
expect() {
	[ -e "$traces/$1" ] || return
	seen=$((seen + 1))
	"$infercap" trace "$traces/$1" --json | tr -d ' \n' | grep -q "\"format\":\"$2\",\"requests\":$3," && return
	echo "$1 is not $3 requests in the format $2"
	bad=1
}

expect AzureLLMInferenceTrace_code.csv azure 8819
expect AzureLLMInferenceTrace_conv.csv azure 19366
expect AzureLLMInferenceTrace_code_1week.csv azure 16803695
expect AzureLLMInferenceTrace_conv_1week.csv azure 27303999
expect vidur_splitwise_code.csv vidur 8819
expect vidur_splitwise_conv.csv vidur 19366
expect mooncake_synthetic_trace.jsonl mooncake 3993
[ "$seen" -gt 0 ] || { echo "no known trace in $traces: skipped"; exit 77; }
exit $bad
