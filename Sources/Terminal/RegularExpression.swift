import Glibc

/// Whether the whole of `text` matches `pattern`, a POSIX extended regular expression over UTF-8.
///
/// A pattern that is none is refused before a run; here it lets every text pass, so that nobody is stuck.
func isWholeMatch(_ text: String, of pattern: String) -> Bool {
    let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
    let before = unsafe locale.map { unsafe uselocale($0) }
    defer {
        if let before = unsafe before { unsafe uselocale(before) }
        if let locale = unsafe locale { unsafe freelocale(locale) }
    }
    var expression = unsafe regex_t()
    guard unsafe regcomp(&expression, pattern, REG_EXTENDED) == 0 else { return true }
    defer { unsafe regfree(&expression) }
    var match = regmatch_t()
    // POSIX finds the leftmost and among these the longest match: the whole, where the whole matches.
    guard unsafe regexec(&expression, text, 1, &match, 0) == 0 else { return false }
    return match.rm_so == 0 && Int(match.rm_eo) == text.utf8.count
}
