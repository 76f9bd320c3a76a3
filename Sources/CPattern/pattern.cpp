#include "CPattern.h"
#include <cstdio>
#include <re2/re2.h>

/// POSIX extended syntax over UTF-8, with the character classes and word boundaries that the C library adds.
static RE2::Options options() {
    RE2::Options options;
    options.set_posix_syntax(true);
    options.set_perl_classes(true);
    options.set_word_boundary(true);
    options.set_one_line(true);
    options.set_dot_nl(true);
    options.set_log_errors(false);
    return options;
}

bool entrain_pattern_is_wrong(const char *pattern, char *words, size_t size) {
    RE2 expression(pattern, options());
    if (expression.ok()) return false;
    snprintf(words, size, "%s", expression.error().c_str());
    return true;
}

bool entrain_pattern_matches(const char *pattern, const char *text) {
    RE2 expression(pattern, options());
    return !expression.ok() || RE2::FullMatch(text, expression);
}
