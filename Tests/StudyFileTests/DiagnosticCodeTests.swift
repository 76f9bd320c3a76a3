import StudyFile
import StudyTesting
import Testing

@Suite struct DiagnosticCodeTests {
    /// Found by drawing the orders, not by reading the file.
    private static let foundByEngine: Set<DiagnosticCode> = [.noValidOrder, .orderTooLarge]

    @Test(
        arguments: DiagnosticCode.allCases.filter {
            $0.markedExample != nil && !foundByEngine.union(ClipDiagnosticsTests.found).contains($0)
        })
    func `a code's example has the mistake at its mark, and no other`(code: DiagnosticCode) throws {
        expectDiagnostics(try #require(code.markedExample), ["1️⃣": code.rawValue], library: .sample)
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `a code's remedy is clean`(code: DiagnosticCode) {
        expectDiagnostics(code.remedy, [:], library: .sample)
        #expect(!parse(code.remedy).hints.contains { $0.code == code })
    }

    @Test(arguments: foundByEngine)
    func `an example for the engine marks the order`(code: DiagnosticCode) throws {
        let marked = MarkedText(try #require(code.markedExample))
        let parsed = parse(marked.text)
        #expect(parsed.study != nil)
        #expect(parsed.orders.map(\.place.range.start) == [marked.places["1️⃣"]])
    }

    @Test func `every code has its page, and every page its code`() {
        #expect(Set(DiagnosticPage.all.keys) == Set(DiagnosticCode.allCases.map(\.rawValue)))
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `a code is explained`(code: DiagnosticCode) {
        #expect(code.rawValue.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
        #expect(!code.title.isEmpty && !code.explanation.isEmpty)
        #expect(code.example?.contains("1️⃣") != true)
    }

    @Test func `only what no short text can show has no example`() {
        let without = DiagnosticCode.allCases.filter { $0.markedExample == nil }
        #expect(
            without == [
                .notUTF8, .fileTooLarge, .tooManyNodes, .tooManyAnchors, .noValue, .clipChanged,
                .clipDuration,
                .clipTwice, .clipSilent, .attributeName, .attributeValue, .unmetExpectation, .changedStudy,
            ])
    }
}
