import StudyTesting
import Testing
import TextFormat

/// A run is recorded again from what it left and from its exports.
@Suite struct WaveReplayCommandTests {
    let program = Program()

    /// - Parameter source: the settings of a source.
    private func study(_ source: String) -> String {
        """
        entrain: 1
        study: {identifier: waves, title: Waves, seed: 1}
        sources: {lab: \(source)}
        tasks:
          - identifier: sit
            steps:
              - type: active
                identifier: rest
                duration: 20 s
                recorders:
                  - {type: ecg, identifier: ecg, source: lab}
              - {type: completion, identifier: end, title: Thanks}
        """
    }

    /// Numbers of the ECG of a bundle.
    private func numbers(_ bundles: String) -> [String] {
        program.lines(of: "zcat \(bundles)/*/steps/*/ecg_*.csv.gz | tail -n +2 | cut -d, -f2")
    }

    @Test func `exports and columns of a bundle are played again as they were recorded`() throws {
        _ = program.write(study("{type: simulated}"), "study.yaml")
        let run = "run study.yaml --plain --auto --speed max --participant P01"
        #expect(program.run("\(run) --out first").code == 0)
        let first = numbers("first")
        #expect(first.count > 2000)
        #expect(program.run("export first --to edf --out edf --include-simulated").code == 0)
        #expect(program.run("export first --to xdf --out xdf --include-simulated").code == 0)
        #expect(program.run("export first --to bids --out bids --include-simulated").code == 0)
        let files = program.lines(
            of: "{ ls first/*/steps/*/ecg_*.csv.gz; find edf -name '*.edf'; find xdf -name '*.xdf'; "
                + "find bids -name '*recording-ecg_physio.tsv.gz'; }")
        #expect(files.count == 4)
        for (index, file) in files.enumerated() {
            _ = program.write(study("{type: replay, file: \(file)}"), "again.yaml")
            #expect(program.run("check again.yaml").code == 0)
            let outcome = program.run(
                "run again.yaml --plain --auto --speed max --participant P01 --out again\(index)")
            #expect(outcome.code == 0, "\(file): \(outcome.errors)")
            let again = numbers("again\(index)")
            #expect(again.count == first.count, "\(file)")
            // EDF has 16 bits, and here a range of about 1.5 mV.
            let tolerance = file.hasSuffix(".edf") ? 0.1 : 1e-9
            for (one, other) in zip(first, again) {
                let (one, other) = (try #require(Double(one)), try #require(Double(other)))
                guard abs(one - other) > tolerance else { continue }
                Issue.record("\(file): \(one) became \(other)")
                break
            }
        }
    }

    @Test func `a recording without the waveform is refused, with what it has`() {
        _ = program.write("time_s,pressure\n0,1\n1,2\n", "lab.csv")
        _ = program.write(study("{type: replay, file: lab.csv}"), "study.yaml")
        let outcome = program.run("run study.yaml --plain --auto --participant P01 --out bundles")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("no column says that it is the ECG: 'pressure'"))
    }
}
