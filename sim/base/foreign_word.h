/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of other programs for names of ours, too far apart for an edit distance: "qps" for "rate".
 */
#ifndef BASE_FOREIGN_WORD_H
#define BASE_FOREIGN_WORD_H

/* The one of `names` (NULL-terminated) that the word stands for elsewhere, case ignored; NULL: the
 * word is not in the table, or what it means is not among the names. */
const char *foreign_word_meaning(const char *word, const char *const *names);

#endif
