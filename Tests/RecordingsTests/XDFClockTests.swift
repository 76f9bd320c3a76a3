import StudyModel
import Testing

@testable import Recordings

@Suite struct XDFClockTests {
    private func read(_ file: MadeXDF) throws -> HeartRateRecording {
        try HeartRateRecording(reading: file.bytes, named: "made")
    }

    /// A stream of a heart rate a second, in parts with a clock of their own.
    private func file(_ parts: [(start: Double, offset: Double?)]) -> MadeXDF {
        var file = MadeXDF()
        file.stream(7, "HR strap", "HR", labels: [("hr", "bpm")])
        for (part, (start, offset)) in parts.enumerated() {
            file.samples(7, (0..<30).map { (start + Double($0), [Double(60 + 10 * part)]) })
            guard let offset else { continue }
            for second in stride(from: 0.0, through: 30, by: 5) { file.offset(7, at: start + second, offset) }
        }
        return file
    }

    @Test(arguments: [[(5000.0, -4000.0), (10, 1020)], [(10, 990), (5000, -3970)]])
    func `where its sender's clock begins anew a stream is cut`(parts: [(Double, Double)]) throws {
        let recording = try read(file(parts.map { (start: $0.0, offset: $0.1) }))
        #expect(recording.entries.map(\.time) == (0..<60).map(Double.init))
        #expect(recording.entries.map(\.sample.rate) == (0..<60).map { $0 < 30 ? 60 : 70 })
        let words = recording.reading.assumptions.filter { $0.contains("where its clock begins anew") }
        #expect(words.count == 2 && words[1].hasSuffix("which are at most 0.000 s off their line"))
    }

    @Test(arguments: [
        [(5000.0, nil), (10.0, nil)], [(5000, -4000), (10, nil)], [(5000, -4000), (10, 900)],
    ])
    func `a stream that nothing puts in order is refused`(parts: [(Double, Double?)]) {
        let failure = #expect(throws: SourceFailure.self) {
            try read(file(parts.map { (start: $0.0, offset: $0.1) }))
        }
        #expect(
            failure?.description.contains("the clock of the stream 'HR strap' begins anew at chunk") == true)
    }

    @Test func `times are said to be corrected only if the file has offsets`() throws {
        let plain = try read(file([(10, nil)])).reading.assumptions.joined()
        #expect(plain.contains("as its sender gave them") && !plain.contains("corrected"))
        var bent = file([(10, 990)])
        bent.offset(7, at: 45, 990.25)
        #expect(try read(bent).reading.assumptions.joined().contains("at most 0.250 s off their line"))
    }
}
