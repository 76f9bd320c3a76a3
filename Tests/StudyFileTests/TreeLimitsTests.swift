import StudyFile
import StudyTesting
import Testing

@Suite struct TreeLimitsTests {
    @Test(arguments: [
        Excess("size", .fileTooLarge) { "a: " + String(repeating: "x", count: 1 << 20) },
        Excess("brackets", .tooDeep) { String(repeating: "[", count: 100_000) },
        Excess("dashes", .tooDeep) { String(repeating: "- ", count: 100_000) },
        Excess("braces", .tooDeep) { String(repeating: "{a: ", count: 100_000) },
        Excess("complex keys", .tooDeep) { String(repeating: "? ", count: 100_000) },
        Excess("values", .tooManyNodes) { "a: [" + String(repeating: "x,", count: 10_000) + "]" },
        Excess("aliases", .tooManyNodes) { "- &a x\n" + String(repeating: "- *a\n", count: 10_000) },
        Excess("anchors", .tooManyAnchors) { (0...1_000).map { "- &a\($0) x\n" }.joined() },
        Excess("a hundred thousand anchors", .tooManyAnchors) {
            (0..<100_000).map { "- &\($0)\n" }.joined()
        },
        Excess("wide bomb", .tooManyNodes) { bomb(levels: 9, width: 9) },
        Excess("narrow bomb", .tooManyNodes) { bomb(levels: 60, width: 2) },
        Excess("deep bomb", .tooDeep) { bomb(levels: 70, width: 1) },
    ])
    func `refuses what is too much, and nothing else`(excess: Excess) {
        #expect(parse(excess.text()).diagnostics.map(\.code) == [excess.code])
    }

    struct Excess: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var code: DiagnosticCode
        var text: @Sendable () -> String

        init(_ name: String, _ code: DiagnosticCode, _ text: @escaping @Sendable () -> String) {
            testDescription = name
            self.code = code
            self.text = text
        }
    }

    @Test func `accepts what is just not too much`() {
        let nodes = "a: [" + Array(repeating: "x", count: 9_997).joined(separator: ",") + "]"
        let depth = String(repeating: "[", count: 63) + "x" + String(repeating: "]", count: 63)
        let anchors = (0..<1_000).map { "- &a\($0) x\n" }.joined()
        let limits: Set<DiagnosticCode> = [.tooDeep, .tooManyNodes, .tooManyAnchors, .fileTooLarge]
        for text in [nodes, depth, anchors] {
            #expect(limits.isDisjoint(with: parse(text).diagnostics.map(\.code)))
        }
    }

    @Test func `counts what aliases stand for, wherever they stand`() {
        let keys = "a: &a [" + Array(repeating: "x", count: 4_000).joined(separator: ",") + "]\nb: *a\n1️⃣c: "
        let marked = MarkedText(keys + "2️⃣*a\n")
        let found = parse(marked.text).diagnostics
        #expect(found.map(\.code) == [.tooManyNodes])
        #expect(found.first?.range.start == marked.places["2️⃣"])
    }

    @Test(arguments: ["a: &a [*a]", "a: &a {b: *a}", "a: &a\n  <<: *a\n"])
    func `an alias within its own anchor is refused`(text: String) {
        #expect(parse(text).diagnostics.map(\.code) == [.unknownAnchor])
    }

    /// Every level is a list of `width` aliases of the level before.
    private static func bomb(levels: Int, width: Int) -> String {
        let first = "- &a0 [x]\n"
        let rest = (1...levels).map { level in
            let members = Array(repeating: "*a\(level - 1)", count: width).joined(separator: ",")
            return "- &a\(level) [\(members)]\n"
        }
        return first + rest.joined()
    }
}
