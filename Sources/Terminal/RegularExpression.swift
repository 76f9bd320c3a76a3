import CPattern

/// Whether the whole of `text` matches `pattern`, a POSIX extended regular expression over UTF-8.
///
/// An invalid pattern is refused before a run. Here it accepts every text, so that nobody gets stuck.
func isWholeMatch(_ text: String, of pattern: String) -> Bool {
    unsafe entrain_pattern_matches(pattern, text)
}
