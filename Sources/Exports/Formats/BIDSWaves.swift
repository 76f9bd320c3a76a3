import Results
import StudyModel
import TextFormat

/// A waveform in BIDS' form: a row for each sample, with its own time, and rows without values where it has gaps.
enum BIDSWaves {
    private static let timeColumn = "timestamp"

    /// The names of the columns: letters, digits and lines, each once.
    private static func columns(of series: WaveSeries) -> [String] {
        var known: Set<String> = [timeColumn]
        return [timeColumn]
            + series.waves.layout.channels.enumerated().map { place, channel in
                let plain = channel.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
                let name = String(plain).lowercased()
                return known.insert(name).inserted ? name : "\(name)_\(place + 1)"
            }
    }

    static func body(of series: WaveSeries) -> [UInt8] {
        var text: [UInt8] = []
        let missing = Array("n/a".utf8)
        for (place, sample) in series.grid.enumerated() {
            let due = series.start + Double(place) / series.rate
            let time = sample.map { series.waves.offsets[$0] } ?? (due * 1e6).rounded() / 1e6
            text += time.description.utf8
            for numbers in series.waves.values {
                text.append(UInt8(ascii: "\t"))
                let number = sample.map { numbers[$0] } ?? .nan
                if number.isFinite { text += number.description.utf8 } else { text += missing }
            }
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    static func sidecar(of series: WaveSeries, _ task: String) -> JSON {
        let names = columns(of: series)
        var members: [String: JSON] = [
            "TaskName": .text(task), "SamplingFrequency": .real(series.rate),
            "StartTime": .real(series.start), "PhysioType": "generic", "Columns": .texts(names),
            "Description": .text(
                "The \(series.signal.quantity) as recorded by '\(series.recording.recorder)'. Rows without values "
                    + "stand for the time of gaps"),
            timeColumn: [
                "Description": "When the sample was measured, since the run's start", "Units": "s",
            ],
        ]
        for (name, channel) in zip(names.dropFirst(), series.waves.layout.channels) {
            members[name] = [
                "Description": .text("The channel '\(channel.name)'"),
                "Units": .text(channel.unit ?? "n/a"),
            ]
        }
        return .members(members)
    }
}
