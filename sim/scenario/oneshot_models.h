/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models that are not decoders and not built yet (vision, speech, diffusion, recommendation): known
 * by name, refused. */
#ifndef SCENARIO_ONESHOT_MODELS_H
#define SCENARIO_ONESHOT_MODELS_H

/* The full id that a name means, or NULL if it is none of them. */
const char *oneshot_models_find(const char *name);

#endif
