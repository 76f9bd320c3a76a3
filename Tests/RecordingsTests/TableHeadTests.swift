import Physiology
import StudyModel
import Testing

@testable import Recordings

/// The text exports of laboratories' programs, by their own headers.
@Suite struct TableHeadTests {
    private func read(_ text: String, _ values: String? = nil, rate: Double? = nil) throws
        -> HeartRateRecording
    {
        let guide = try #require(RecordingGuide(values: values, times: nil, rate: rate))
        return try HeartRateRecording(reading: Array(text.utf8), named: "made.txt", guide)
    }

    private static let start = 1_767_348_000.0
    private static let labChart =
        "Interval=\t0.5 s\nExcelDateTime=\t4.6024416666666E+04\t02/01/2026 10:00:00.000\nTimeFormat=\tStartOfBlock\n"
        + "DateFormat=\t\nChannelTitle=\tECG\tHeart Rate\nRange=\t2.000 mV\t200 BPM\n"

    @Test func `LabChart's channels have their names, units and start`() throws {
        for header in [Self.labChart, Self.labChart.replacing("0.5 s", with: "500 ms")] {
            let rows = (0..<30).map { "\(Double($0) / 2)\t0.\($0)\t\(70 + $0 % 5)\n" }.joined()
            let recording = try read(header + rows)
            #expect(recording.entries.map(\.sample.rate) == (0..<30).map { Double(70 + $0 % 5) })
            #expect(recording.entries.last?.time == 14.5 && recording.timedSamples.first?.time == Self.start)
        }
        let bare = (0..<30).map { "0,\($0)\t\(70 + $0 % 5)\n" }.joined()
        let untimed = try read(Self.labChart.replacing("0.5 s", with: "0,5 s") + bare)
        #expect(untimed.entries.last?.time == 14.5 && untimed.timedSamples.first?.time == Self.start)
    }

    @Test func `a later block of LabChart begins at its own time`() throws {
        let rows = (0..<30).map { "\(Double($0) / 2)\t0.1\t70\n" }.joined()
        let later = Self.labChart.replacing(
            "4.6024416666666E+04\t02/01/2026 10:00", with: "46024.5\t02/01/2026 12:00")
        let recording = try read(Self.labChart + rows + later + rows)
        #expect(recording.entries.count == 60 && recording.entries.last?.time == 7214.5)
    }

    @Test func `AcqKnowledge's times have their unit, and a missing half is told`() throws {
        for (unit, step) in [("min", 1 / 60.0), ("sec", 1), ("msec", 1000)] {
            let header =
                "P01.acq\n1000 msec/sample\n2 channels\nECG\nmV\nRate\nBPM\n\(unit)\tCH1\tCH2\t\n\t60\t60\t\n"
            let rows = (0..<30).map { "\(Double($0) * step)\t0.\($0)\t\(70 + $0 % 5)\t\n" }.joined()
            let recording = try read(header + rows)
            #expect(recording.entries.map(\.sample.rate) == (0..<30).map { Double(70 + $0 % 5) })
            #expect(abs((recording.entries.last?.time ?? 0) - 29) < 1e-6)
            #expect(
                recording.reading.doubts == [
                    "the header says 60 samples, but there are 30: some may be missing"
                ])
        }
        let slow = "P01.acq\n500 msec/sample\n1 channels\nRate\nBPM\nsec\tCH1\n\t30\n"
        #expect(
            try read(slow + (0..<30).map { "\($0)\t70\n" }.joined()).reading.doubts == [
                "the header says a sample every 0.5000 s, but the times advance by 1.0000 s"
            ])
        let ecg = "P01.acq\n4 msec/sample\n1 channels\nECG\nmV\nsec\tCH1\n\t5000\n"
        let beats = (0..<2500).map { "\(Double($0) / 250)\t\($0 % 200 == 50 ? 1 : 0.01 * Double($0 % 3))\n" }
        #expect(
            try read(ecg + beats.joined()).reading.doubts == [
                "the header says 5000 samples, but there are 2500: some may be missing"
            ])
        let often = "P01.acq\n1 samples/second\n1 channels\nRate\nBPM\nsec\tCH1\n\t30\n"
        #expect(try read(often + (0..<30).map { "\($0)\t70\n" }.joined()).reading.doubts.isEmpty)
        let untimed =
            "P01.acq\n1000 msec/sample\n1 channels\nRate\nBPM\nCH1\n30\n"
            + String(repeating: "70\n", count: 30)
        #expect(try read(untimed).entries.last?.time == 29)
    }

    private static func openSignals(_ rate: Int, _ values: [Double]) -> String {
        "# OpenSignals Text File Format. Version 1\n"
            + "# {\"00:07:80:3B\": {\"sensor\": [\"ECG\"], \"column\": [\"nSeq\", \"DI\", \"A1\"], \"sampling rate\": \(rate), "
            + "\"resolution\": [4,1,16], \"label\": [\"A1\"], \"date\": \"2026-1-2\", \"time\": \"10:0:0.0\"}}\n# EndOfHeader\n"
            + values.enumerated().map { "\($0.offset % 16)\t0\t\(32_000 + Int(20_000 * $0.element))\t\n" }
            .joined()
    }

    @Test func `OpenSignals' ECG has its rate, its start, and beats`() throws {
        let wave = [0.1, 0.5, 1, 0.5, 0.1, -0.2]
        let values = (0..<5000).map { sample in
            let place = sample % 200 - 50
            return wave.indices.contains(place) ? wave[place] : 0
        }
        let recording = try read(Self.openSignals(250, values))
        #expect(recording.reading.ecg?.samplingRate == 250 && recording.reading.isDated)
        #expect(abs((recording.timedSamples.first?.time ?? 0) - Self.start - 1.01) < 0.9)
        #expect(recording.entries.allSatisfy { abs($0.sample.rrIntervals[0] - 0.8) < 0.005 })
        #expect(recording.entries.count >= 22)
        var lines = Self.openSignals(250, values).split(separator: "\n")
        lines.removeSubrange(1000..<1010)
        let lost = try read(lines.joined(separator: "\n"))
        #expect(
            lost.reading.doubts == ["10 samples or more are missing, by the numbers in the column 'nSeq'"])
        #expect(lost.reading.ecg?.beats == recording.reading.ecg?.beats)
        let failure = #expect(throws: SourceFailure.self) {
            try read(Self.openSignals(250, values), "ecg", rate: 500)
        }
        #expect(
            failure?.description.contains("says itself that it has 250 samples a second, not 500") == true)
    }

    @Test(arguments: [
        ("Interval=\tnever\nChannelTitle=\tA\nRange=\t1 V\n1\t2\n", "has no Interval"),
        (
            "Interval=\t1 s\nChannelTitle=\tA\nRange=\t1 V\n1\t2\t3\t4\n",
            "names 1 channels, and the row has 4 cells"
        ),
        ("a\n1 msec/sample\nno channels\nb\n", "has no channels"),
        ("# OpenSignals Text File Format. Version 1\n# {\n# EndOfHeader\n0\n1\n", "is not JSON"),
        ("# OpenSignals Text File Format. Version 1\n# {}\n0\n1\n", "has no end"),
        ("# OpenSignals Text File Format. Version 1\n# {}\n# EndOfHeader\n0\t1\n", "names 0 columns"),
    ]) func `a header of another form is refused`(text: String, words: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(
            failure?.isBadData == true && failure?.description.contains(words) == true, "\(failure as Any)")
    }
}
