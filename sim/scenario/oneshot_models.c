/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/oneshot_models.h"

#include <stddef.h>

#include "base/count.h"
#include "scenario/short_form.h"

static const char *const ids[] = {
	"resnet-50",
	"vit-b-16",
	"vit-b-16-384",
	"vit-l-16",
	"vit-l-14",
	"resnet-18",
	"resnet-101",
	"efficientnet-b0",
	"retinanet-r50-fpn",
	"retinanet-r50-fpn-v2",
	"retinanet-resnext50-32x4d",
	"yolov8n",
	"yolov8s",
	"yolov8m",
	"yolov8l",
	"yolov8x",
	"whisper-tiny",
	"whisper-base",
	"whisper-small",
	"whisper-medium",
	"whisper-large-v2",
	"whisper-large-v3",
	"whisper-large-v3-turbo",
	"stable-diffusion-1.5",
	"sdxl-base-1.0",
	"flux.1-dev",
	"dlrm-dcnv2",
	"dlrm-v1",
	"dlrm-criteo-kaggle",
	"dlrm-criteo-terabyte",
};

const char *oneshot_models_find(const char *name)
{
	if (short_form_is_id(name, "whisper-large"))
		return "whisper-large-v3";
	for (size_t i = 0; i < COUNT(ids); i++)
		if (short_form_is_id(name, ids[i]) || short_form_is_hf(name, ids[i]))
			return ids[i];
	for (size_t i = 0; i < COUNT(ids); i++)
		if (short_form_matches(name, ids[i]))
			return ids[i];
	return NULL;
}
