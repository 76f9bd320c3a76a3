import CPattern

/// Whether the whole of `text` matches `pattern`, a POSIX extended regular expression over UTF-8.
///
/// A pattern that is none is refused before a run; here it lets every text pass, so that nobody is stuck.
func isWholeMatch(_ text: String, of pattern: String) -> Bool {
    unsafe entrain_pattern_matches(pattern, text)
}
