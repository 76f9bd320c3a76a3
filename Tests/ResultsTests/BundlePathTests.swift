import Testing
import TextFormat

@testable import Results

@Suite struct BundlePathTests {
    @Test(arguments: ["manifest.json", "steps/01-rest/result.json", "a/b/c", ".x", "a..b", "-"])
    func `takes what lies within a bundle`(text: String) {
        #expect(BundlePath(text)?.text == text)
        #expect(BundlePath(text)?.name == text.split(separator: "/").last.map(String.init))
    }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\0b", "a\u{1B}[1m", "a\nb",
        "a b", "é",
        "a\\b", String(repeating: "a", count: 256), String(repeating: "aa/", count: 400) + "a",
    ])
    func `takes nothing else`(text: String) { #expect(BundlePath(text) == nil) }

    @Test(arguments: [
        ("5", true), ("72.5", true), ("9999.25", true), ("-3.5", true), ("1e3", true), ("100000", true),
        ("100001", false), ("1e19", false), ("-1e308", false), ("\"5\"", false), ("", false), ("5.", false),
    ])
    func `knows numbers within the limits as they stand`(text: String, isWithin: Bool) {
        let reader = JSONReader(Array(text.utf8))
        let range = 0..<text.utf8.count
        #expect(reader.isNumber(range, within: BundleLimits.heartRate, digits: 4) == isWithin)
    }
}
