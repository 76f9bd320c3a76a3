package import BundleReplay
package import Deidentifying
import Physiology
package import Platform
import Results
package import StudyModel
import TextFormat

/// All rows of one bundle, which is taken as a whole or not at all.
package struct BundleRows: Sendable {
    package let run: String
    /// The run that it continues, if it does.
    package let continues: String?
    /// SHA-256 of the bundle's manifest.
    package let manifest: String
    package let study: Identifier
    package let text: StudyText
    /// `yyyy-MM-dd`.
    let date: String
    private(set) var tables: [Table: TableText] = [:]

    /// Reads a bundle and makes its rows.
    ///
    /// - Parameters:
    ///   - deidentification: `nil` leaves everything as it was recorded.
    ///   - tasks: the tasks of studies that were already read.
    /// - Throws: `FileFailure` if anything is not as it was sealed, or if a recording does not hold as many
    ///   samples as the result says.
    package init(
        of path: String, _ deidentification: Deidentification? = nil,
        _ tasks: TasksOfBundles = TasksOfBundles()
    ) throws(FileFailure) {
        let bundle = try ResultBundle(verifying: path)
        if let contradiction = try tasks.studies.contradictions(in: bundle).first {
            throw FileFailure("collate", path, .malformed(contradiction))
        }
        let task = tasks.task(of: bundle)
        let rates = ExpectedRates(of: task)
        let expected = bundle.visits.map { rates[$0] }
        let missed = task?.quality.map { RunQuality(of: bundle.visits).shortfalls(of: $0) }
        do {
            var deidentification = deidentification
            let kinds = (task?.answered ?? []).map { ("\($0.step) \($0.asked.identifier)", $0.asked.kind) }
            try self.init(
                of: deidentification?.applied(to: bundle) ?? bundle, expected,
                Dictionary(kinds) { first, _ in first },
                isPoor: missed.map { !$0.isEmpty })
            for (table, text) in tables {
                try deidentification?.check(text.csv + text.ndjson, table.rawValue)
            }
        } catch {
            throw error as? FileFailure ?? FileFailure("collate", path, .malformed("\(error)"))
        }
    }

    /// - Parameter kinds: the kinds of answers, by step and question.
    private init(
        of bundle: ResultBundle, _ expected: [ExpectedCourse?], _ kinds: [String: AnswerKind], isPoor: Bool?
    ) throws {
        let manifest = bundle.manifest
        run = manifest.runUUID
        continues = manifest.run.continues
        self.manifest = bundle.manifestSHA256 ?? ""
        study = manifest.study
        text = StudyText(revision: manifest.revision, sha256: manifest.studySHA256)
        date = String(manifest.start.date(of: .start).prefix(10))
        var first = TableText(.sessions)
        first.text(run)
        first.text(study.text)
        first.text(manifest.participant)
        first.integer(manifest.session)
        first.leadEveryRow()
        for table in Table.allCases where table.isOfRuns {
            tables[table] = TableText(table, leadingLike: first)
        }
        var journal = JournalRows(hidingAnswers: manifest.run.isCompanion)
        if !manifest.isPseudonymised {
            try journal.add(bundle.contents(of: "journal.jsonl"), to: &self[.events])
        }
        let plan = manifest.isPseudonymised ? nil : try bundle.plan()
        addDraws(plan?.draws ?? [])
        addParticipant(of: bundle)
        let others = try addVisits(of: bundle, expected, kinds, journal)
        addSession(of: bundle, seed: plan?.seed, isPoor: isPoor, otherItems: others)
    }

    /// A table's rows in CSV, without the names of its columns.
    package func csv(of table: Table) -> [UInt8] { self[table].csv }

    /// A table's rows, one JSON object a line.
    package func ndjson(of table: Table) -> [UInt8] { self[table].ndjson }

    /// Adds the meanings of the study's answers.
    package mutating func add(_ codebook: Codebook) { self[.codebook] = codebook.rows }

    /// Adds what the study is meant to find out.
    package mutating func add(_ outcomes: OutcomeRows) { self[.outcomes] = outcomes.rows }

    package private(set) subscript(table: Table) -> TableText {
        get { tables[table, default: TableText(table)] }
        _modify { yield &tables[table, default: TableText(table)] }
    }

    private mutating func addDraws(_ draws: [Draw]) {
        for (index, draw) in draws.enumerated() {
            for (place, choice) in draw.chosen.enumerated() {
                self[.draws].add(
                    DrawRow(draw: draw, number: index + 1, place: place + 1, chosen: choice), DrawRow.columns)
            }
        }
    }

    /// - Returns: how many items of recorders have no table.
    private mutating func addVisits(
        of bundle: ResultBundle, _ expected: [ExpectedCourse?], _ kinds: [String: AnswerKind],
        _ journal: JournalRows
    ) throws -> Int {
        let tellsMore = expected.contains { $0 != nil } || bundle.visits.contains(where: \.tellsMore)
        let hearts = tellsMore ? try BundleHearts(of: bundle) : nil
        var recordings = RecordingRows(
            of: bundle.visits, expected, samples: self[.samples], beats: self[.beats],
            numbers: self[.numbers], ratings: self[.ratings], taps: self[.taps], displays: self[.displays])
        recordings.hearts = hearts
        var clips = HeardClips()
        let replaced = ResultBundle.Visit.replaced(in: bundle.visits)
        for (index, visit) in bundle.visits.enumerated() {
            let heard = clips.last(at: visit)
            for answer in visit.answers {
                let kind = kinds["\(visit.path) \(answer.question)"]
                self[.answers].add(
                    AnswerRow(visit: visit, answer: answer, kind: kind, stimulus: heard), AnswerRow.columns)
            }
            for mark in visit.marks { self[.marks].add(MarkRow(visit: visit, mark: mark), MarkRow.columns) }
            for recording in visit.recordings {
                var said: RecordingRows.SignalSummary?
                if recording.holdsItems {
                    try recordings.add(bundle.contents(of: recording), of: recording, at: index)
                    said = recordings.said
                }
                try addRecording(recording, visit, said, bundle.manifest, journal)
            }
            recordings.add(samplesOfProgramAt: index)
        }
        for (index, visit) in bundle.visits.enumerated() {
            recordings.addDetectedBeats(at: index)
            let comparison = expected[index].flatMap { course in
                hearts.flatMap { course.comparison(of: $0.rates[index]) }
            }
            // Results of earlier programs lack the attributes, but their journals have them.
            let known = visit.clip.flatMap {
                $0.attributes.isEmpty ? journal.attributes[$0.identifier] : $0.attributesJSON
            }
            let row = VisitRow(
                visit: visit, isReplaced: replaced.contains(visit.ordinal), attributes: known,
                samples: recordings.samplesOfVisits[index], comparison: comparison,
                taps: visit.taps(recordings.tapsOfVisits[index]),
                heart: hearts.flatMap { StepHeart(of: visit, $0, at: index) }.map(HeartFigures.init),
                beats: hearts?.detected[index] ?? nil, refusedSeconds: hearts?.refusedSeconds[index] ?? nil,
                breathing: hearts?.breathing[index] ?? nil)
            self[.steps].add(row, VisitRow.columns)
        }
        (self[.samples], self[.beats]) = (recordings.samples, recordings.beats)
        (self[.numbers], self[.displays]) = (recordings.numbers, recordings.displays)
        (self[.ratings], self[.taps]) = (recordings.ratings, recordings.taps)
        return recordings.otherItems
    }

    private mutating func addRecording(
        _ recording: ResultBundle.Recording, _ visit: ResultBundle.Visit,
        _ said: RecordingRows.SignalSummary?,
        _ manifest: Manifest, _ journal: JournalRows
    ) throws {
        // Without a journal, the items name their source, if there are any.
        let source =
            try journal.sources[recording.recorder]
            ?? said.flatMap { $0.source.isEmpty ? nil : try JSON(parsing: $0.source).text }
        let kind = source.flatMap(Identifier.init).flatMap { manifest.provenance?.sources[$0] }
        let row = RecordingRow(
            visit: visit, recording: recording, source: source, sourceKind: kind, said: said)
        self[.recordings].add(row, RecordingRow.columns)
    }

    private mutating func addParticipant(of bundle: ResultBundle) {
        for trait in ParticipantTrait.all(of: bundle) {
            self[.participants].add(trait, ParticipantTrait.columns)
        }
    }

    private mutating func addSession(of bundle: ResultBundle, seed: UInt64?, isPoor: Bool?, otherItems: Int) {
        var time = TimeText()
        let start = Int((bundle.manifest.start.secondsSince1970(of: .start) * 1000).rounded())
        let counts = Dictionary(uniqueKeysWithValues: Table.counted.map { ($0, self[$0].rows) })
        let row = SessionRow(
            bundle: bundle, start: time.write(start), seed: seed, isPoor: isPoor, counts: counts,
            otherItems: otherItems)
        self[.sessions].add(row, SessionRow.columns)
    }
}

/// Which clip an answer is about: the clip of its own step, or the last one before it in the same round of its
/// block. An answer outside of blocks is about the last clip outside of blocks.
private struct HeardClips {
    private struct Place: Hashable {
        var block: Substring
        var round: Int?
    }

    private var heard: [Place: String] = [:]

    mutating func last(at visit: ResultBundle.Visit) -> String? {
        let block = visit.path.dropLast(visit.identifier.count)
        let place = Place(block: block, round: block.isEmpty ? nil : visit.round)
        if let clip = visit.clip { heard[place] = clip.identifier }
        return heard[place]
    }
}

extension ResultBundle.Clip {
    fileprivate var attributesJSON: JSON { .members(attributes.mapValues { .text($0) }) }
}
