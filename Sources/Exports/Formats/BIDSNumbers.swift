import Results
import StudyModel
import TextFormat

/// Numbers of any signal in BIDS' form: as received, and once a second.
enum BIDSNumbers {
    private static let receivedColumns = ["onset", "duration", "value", "recorder"]
    private static let everySecondColumns = ["timestamp", "value"]

    static func received(_ numbers: [ResultBundle.Number]) -> BIDSTable {
        var table = BIDSTable(receivedColumns)
        table.rows = numbers.map { [.real($0.runOffset), .missing, .real($0.value), .text($0.recorder)] }
        return table
    }

    /// If there are several sources, that with the most. Numbers farther apart than a gap of the signal are not
    /// joined.
    static func everySecond(_ numbers: [ResultBundle.Number], of run: ExportedRun) -> BIDSTable {
        let sources = Dictionary(grouping: numbers, by: \.source).sorted { $0.key < $1.key }
        let main = sources.max { $0.value.count < $1.value.count }?.value ?? []
        return BIDSTable(
            everySecondColumns, atEachSecondOf: run, main.map { ($0.runOffset, $0.value) },
            joining: main.first?.signal.longestSilence.seconds ?? 0)
    }

    static func received(_ points: [ResultBundle.Rating]) -> BIDSTable {
        var table = BIDSTable(receivedColumns)
        table.rows = points.map { [.real($0.runOffset), .missing, .real($0.value), .text($0.recorder)] }
        return table
    }

    static func everySecond(_ rating: ExportedRun.Rating, of run: ExportedRun) -> BIDSTable {
        BIDSTable(
            everySecondColumns, atEachSecondOf: run, rating.points.map { ($0.runOffset, $0.value) },
            joining: rating.longestSilence)
    }

    static func everySecond(rating name: String, _ task: String) -> JSON {
        everySecond("rating '\(name)'", unit: nil, task)
    }

    static func received(rating name: String, _ task: String) -> JSON {
        received("rating '\(name)'", meaning: "Where the mark was on its scale", unit: nil, task)
    }

    static func everySecond(_ signal: Signal, _ task: String) -> JSON {
        everySecond(signal.quantity, unit: signal.unit, task)
    }

    static func received(_ signal: Signal, _ task: String) -> JSON {
        received(signal.quantity, meaning: signal.meaning, unit: signal.unit, task)
    }

    private static func everySecond(_ quantity: String, unit: String?, _ task: String) -> JSON {
        [
            "TaskName": .text(task), "SamplingFrequency": 1.0, "StartTime": 0.0, "PhysioType": "generic",
            "Columns": .texts(everySecondColumns),
            "timestamp": ["Description": "Time since the run's start", "Units": "s"],
            "value": [
                "Description": .text("The \(quantity), on a straight line between received numbers"),
                "Units": .text(unit ?? "n/a"),
            ],
        ]
    }

    private static func received(
        _ quantity: String, meaning: String, unit: String?, _ task: String
    ) -> JSON {
        [
            "TaskName": .text(task), "OnsetSource": "timestamp",
            "Columns": .texts(receivedColumns),
            "Description": .text("The \(quantity) as it was received"),
            "onset": ["Description": "When it was measured, since the run's start", "Units": "s"],
            "duration": ["Description": "Not known", "Units": "s"],
            "value": ["Description": .text(meaning), "Units": .text(unit ?? "n/a")],
            "recorder": ["Description": "The recorder"],
        ]
    }
}
