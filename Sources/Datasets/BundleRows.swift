import Results
import StudyModel
package import TextFormat

/// All rows of one bundle: taken whole, or not at all.
package struct BundleRows: Sendable {
    let run: String
    let study: Identifier
    /// `yyyy-MM-dd`.
    let date: String
    private(set) var tables: [Table: TableText] = [:]

    /// Reads a bundle and makes its rows.
    ///
    /// - Throws: `BundleFailure` if anything is not as it was sealed, or where a recording does not hold as many
    ///   samples as the result says.
    init(of path: String) throws(BundleFailure) {
        let bundle = try SealedBundle(at: path)
        do {
            try self.init(of: bundle)
        } catch {
            throw error as? BundleFailure ?? BundleFailure("collate", path, .malformed("\(error)"))
        }
    }

    private init(of bundle: SealedBundle) throws {
        run = bundle.run
        study = bundle.study
        date = bundle.date
        let participant = try bundle.manifest.wanted("participant").wantedText()
        let session = try bundle.manifest.wanted("session").integer
        var first = TableText(.sessions)
        first.text(run)
        first.text(study.text)
        first.text(participant)
        first.integer(session)
        first.leadEveryRow()
        for table in Table.allCases { tables[table] = TableText(table, leadingLike: first) }
        var journal = JournalRows()
        try journal.add(bundle.journal, to: &self[.events])
        try addDraws(of: bundle.plan)
        let others = try addSteps(of: bundle, attributes: journal.attributes)
        try addSession(of: bundle, otherItems: others)
    }

    /// A table's rows, one JSON object a line.
    package func ndjson(of table: Table) -> [UInt8] { self[table].ndjson }

    private(set) subscript(table: Table) -> TableText {
        get { tables[table, default: TableText(table)] }
        _modify { yield &tables[table, default: TableText(table)] }
    }

    private mutating func addDraws(of plan: JSON) throws {
        for (index, draw) in try plan.wanted("draws").wantedList().enumerated() {
            let chosen = try draw.wanted("chosen").wantedList()
            for (place, choice) in chosen.enumerated() {
                try self[.draws].addRow { row in
                    row.integer(index + 1)
                    row.integer(place + 1)
                    row.text(draw["stream"]?.text)
                    row.text(draw["method"]?.text)
                    row.text(try choice.wantedText())
                    row.integer(draw["pool"]?.list?.count)
                    row.integer(draw["number"]?.integer)
                    row.integer(draw["row"]?.integer)
                }
            }
        }
    }

    /// - Returns: how many items of recorders have no table.
    private mutating func addSteps(of bundle: SealedBundle, attributes: [String: JSON]) throws -> Int {
        let steps = try bundle.result.wanted("results").wantedList()
        guard steps.count == bundle.stepPaths.count else {
            throw MalformedBundle("the result has other steps")
        }
        let visits = zip(steps, bundle.stepPaths).map { StepVisit($0, path: $1) }
        var recordings = RecordingRows(of: visits, samples: self[.samples], beats: self[.beats])
        for (index, step) in steps.enumerated() {
            for file in try step.wanted("results").wantedList() {
                guard file["_class"]?.text == "ORKFileResult" else {
                    addAnswer(file, visits[index])
                    continue
                }
                let name = try file.wanted("fileName").wantedText()
                if bundle.others.contains(name) { continue }
                guard let bytes = bundle.recordings[name] else {
                    throw MalformedBundle("\(name) is not in the manifest")
                }
                try recordings.add(bytes, of: file, at: index)
            }
        }
        for (index, step) in steps.enumerated() {
            try addStep(
                step, visits[index], position: index + 1, samples: recordings.samplesOfVisits[index],
                attributes: attributes)
        }
        self[.samples] = recordings.samples
        self[.beats] = recordings.beats
        return recordings.otherItems
    }

    private mutating func addStep(
        _ step: JSON, _ visit: StepVisit, position: Int, samples: Int, attributes: [String: JSON]
    ) throws {
        let info = try step.wanted("userInfo")
        let clip = info["stimulus"]
        let known = visit.stimulus.flatMap { attributes[$0] }
        let coverages = step["results"]?.list?.compactMap { $0["userInfo"]?["coverage"]?.number }
        self[.steps].addRow { row in
            row.integer(position)
            row.text(visit.step)
            row.integer(visit.visit)
            row.integer(info["round"]?.integer)
            row.real(info["startOffset"]?.number)
            row.real(info["endOffset"]?.number)
            row.real(info["plannedDuration"]?.number)
            row.real(info["actualDuration"]?.number)
            row.boolean(info["skipped"]?.boolean == true)
            row.text(info["skipReason"]?.text)
            row.text(visit.stimulus)
            row.text(clip?["title"]?.text)
            row.text(known?["mood"]?.text)
            row.real(known?["tempo"]?.text.flatMap { Double($0) })
            row.real(clip?["onsetOffset"]?.number)
            row.real(clip?["endOffset"]?.number)
            row.real(coverages?.min())
            row.integer(samples)
        }
    }

    private mutating func addAnswer(_ answer: JSON, _ visit: StepVisit) {
        let value = AnswerValue(answer)
        self[.answers].addRow { row in
            row.text(visit.step)
            row.integer(visit.visit)
            row.text(answer["identifier"]?.text)
            row.text(answer["_class"]?.text)
            row.text(value.text)
            row.real(value.number)
            row.text(answer["unit"]?.text)
        }
    }

    private mutating func addSession(of bundle: SealedBundle, otherItems: Int) throws {
        let manifest = bundle.manifest
        var time = TimeText()
        let counts = Table.counted.map { self[$0].rows }
        let start = Int((bundle.clock.secondsSince1970(of: .start) * 1000).rounded())
        try self[.sessions].addRow { row in
            row.text(try manifest.wanted("task").wantedText())
            row.integer(manifest["revision"]?.integer)
            row.text(manifest["studySHA256"]?.text)
            row.time(time.write(start))
            row.text(bundle.clock.zone)
            row.integer(bundle.clock.utcOffset)
            row.real(manifest["duration"]?.number)
            row.text(try manifest.wanted("status").wantedText())
            row.boolean(manifest["recovered"]?.boolean == true)
            row.boolean(manifest["clockAdjusted"]?.boolean == true)
            row.text(manifest["language"]?.text)
            row.text(manifest["program"]?.text)
            row.text(bundle.plan["seed"]?.text)
            row.text(bundle.manifestSHA256)
            for count in counts { row.integer(count) }
            row.integer(otherItems)
        }
    }
}

/// What says of a row which visit of which step it belongs to.
struct StepVisit {
    var step: String
    var visit: Int?
    var stimulus: String?
    /// When it was shown, s since the run's start.
    var start: Double

    init(_ result: JSON, path: String) {
        step = path
        visit = result["userInfo"]?["visit"]?.integer
        start = result["userInfo"]?["startOffset"]?.number ?? 0
        stimulus = result["userInfo"]?["stimulus"]?["identifier"]?.text
    }
}

/// A bundle that contradicts itself.
package struct MalformedBundle: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

/// An answer as text and, where it is one, as a number.
package struct AnswerValue {
    package private(set) var text: String?
    package private(set) var number: Double?

    package init(_ answer: JSON) {
        guard let value = AnswerKind.members.lazy.compactMap({ answer[$0] }).first else { return }
        switch value {
        case .text(let written): text = written
        case .integer, .real:
            number = value.number
            text = String(decoding: value.encoded(), as: UTF8.self)
        case .list(let list) where list.count == 1 && list[0].text != nil: text = list[0].text
        case .null, .boolean, .list, .object: text = String(decoding: value.encoded(), as: UTF8.self)
        }
    }
}

extension JSON {
    package func wanted(_ key: String) throws -> JSON {
        guard let value = self[key] else { throw MalformedBundle("'\(key)' is missing") }
        return value
    }

    package func wantedText() throws -> String {
        guard let text else { throw MalformedBundle("a text is missing") }
        return text
    }

    package func wantedList() throws -> [JSON] {
        guard let list else { throw MalformedBundle("a list is missing") }
        return list
    }
}
