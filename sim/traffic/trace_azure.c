/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Azure's LLM inference traces of 2023 and 2024 (github.com/Azure/AzurePublicDataset): dates
 * without a zone and seven decimals, or with a zone and none to six.
 */
#include "traffic/trace_format.h"

const struct trace_format trace_azure = {
	.name = "azure",
	.help = "Azure LLM inference 2023 and 2024",
	.field = {"TIMESTAMP", "ContextTokens", "GeneratedTokens"},
	.time = trace_text_datetime,
};
