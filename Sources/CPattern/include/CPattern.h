// Patterns by RE2, which takes time linear in the text, whatever the pattern. RE2 is written in C++, which Swift
// reaches through C.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a pattern cannot be used; `words` then says why.
bool entrain_pattern_is_wrong(const char *pattern, char *words, size_t size);
/// Whether the whole of a text matches. Every text matches a pattern that cannot be used.
bool entrain_pattern_matches(const char *pattern, const char *text);

#ifdef __cplusplus
}
#endif
