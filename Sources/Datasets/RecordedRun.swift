import Results

/// What an analysis needs of one run.
struct RecordedRun: Sendable {
    var run: String
    var study: String
    var participant: String
    var status: String
    /// The steps in visiting order.
    var steps: [Step] = []

    struct Step: Sendable {
        var name: String
        var visit: Int
        var stimulus: String?
        var mood: String?
        var isSkipped: Bool
        /// Seconds since the run's start.
        var onset: Double?
        /// Seconds since the run's start, of the clip or, where it has none, of the step.
        var end: Double
        /// Offsets in seconds, in order, with rates per minute.
        var samples: [(offset: Double, rate: Double)] = []
    }

    /// Reads runs out of three tables' NDJSON.
    ///
    /// - Parameter text: gives a table's bytes.
    static func runs(_ text: (Table) throws -> [UInt8]) throws -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var places: [String: Int] = [:]
        var steps: [String: Int] = [:]
        for line in try text(.sessions).split(separator: UInt8(ascii: "\n")) {
            let row = try JSON(parsing: Array(line))
            let run = try RecordedRun(
                run: row.wanted("run").wantedText(), study: row.wanted("study").wantedText(),
                participant: row.wanted("participant").wantedText(), status: row.wanted("status").wantedText()
            )
            places[run.run] = runs.count
            runs.append(run)
        }
        for line in try text(.steps).split(separator: UInt8(ascii: "\n")) {
            let row = try JSON(parsing: Array(line))
            guard let place = places[try row.wanted("run").wantedText()] else {
                throw Unlike("a step has no run")
            }
            let step = try Step(row)
            steps[runs[place].run + "/\(step.visit)/" + step.name] = runs[place].steps.count
            runs[place].steps.append(step)
        }
        try addSamples(try text(.samples), to: &runs, places, steps)
        return runs
    }

    private static func addSamples(
        _ bytes: [UInt8], to runs: inout [RecordedRun], _ places: [String: Int], _ steps: [String: Int]
    ) throws {
        var cursor = JSONReader(bytes)
        while cursor.hasMore {
            var row: [Substring: Range<Int>] = [:]
            try cursor.enterObject()
            while let key = try cursor.key() {
                row[Substring(cursor.text(key))] = try cursor.value()
            }
            guard let run = row["run"], let step = row["step"], let visit = row["visit"],
                let offset = row["offset_seconds"].flatMap({ cursor.number($0) }),
                let rate = row["bpm"].flatMap({ cursor.number($0) })
            else { throw Unlike("a sample lacks a column") }
            let name = cursor.text(run.lowerBound + 1..<run.upperBound - 1)
            let path = cursor.text(step.lowerBound + 1..<step.upperBound - 1)
            guard let place = places[name], let index = steps["\(name)/\(cursor.text(visit))/\(path)"] else {
                throw Unlike("a sample has no step")
            }
            runs[place].steps[index].samples.append((offset, rate))
        }
    }
}

extension RecordedRun.Step {
    fileprivate init(_ row: JSON) throws {
        name = try row.wanted("step").wantedText()
        guard let visit = row["visit"]?.integer, let end = row["end_seconds"]?.number else {
            throw Unlike("a step lacks a column")
        }
        self.visit = visit
        self.end = row["offset_seconds"]?.number ?? end
        stimulus = row["stimulus"]?.text
        mood = row["mood"]?.text
        isSkipped = row["skipped"]?.boolean == true
        onset = row["onset_seconds"]?.number
    }
}
