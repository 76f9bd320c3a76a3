import StudyModel
import Testing

@testable import Recordings

@Suite struct XDFClockTests {
    private func refusal(of file: MadeXDF) -> String {
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(reading: file.bytes, named: "made")
        }
        return failure?.description ?? ""
    }

    @Test(arguments: [true, false])
    func `a stream whose sender's clock begins anew is refused`(hasOffsets: Bool) {
        var file = MadeXDF()
        file.stream(7, "HR strap", "HR", labels: [("hr", "bpm")])
        for (start, offset) in [(5000.0, -4000.0), (10, 1020)] {
            file.samples(7, (0..<30).map { (start + Double($0), [60]) })
            guard hasOffsets else { continue }
            for second in stride(from: 0.0, through: 30, by: 5) { file.offset(7, at: start + second, offset) }
        }
        #expect(refusal(of: file).contains("the clock of the stream 'HR strap' begins anew at chunk"))
    }

    @Test func `a clock that jumps ahead is refused, too`() {
        var file = MadeXDF()
        file.stream(7, "HR strap", "HR", labels: [("hr", "bpm")])
        for (start, offset) in [(10.0, 990.0), (5000, -3970)] {
            file.samples(7, (0..<30).map { (start + Double($0), [60]) })
            for second in stride(from: 0.0, through: 30, by: 5) { file.offset(7, at: start + second, offset) }
        }
        #expect(refusal(of: file).contains("begins anew in the file"))
    }
}
