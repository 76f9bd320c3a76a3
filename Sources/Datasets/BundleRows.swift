import BundleReplay
import Physiology
import Results
import StudyModel
import TextFormat

/// All rows of one bundle, which is taken as a whole or not at all.
package struct BundleRows: Sendable {
    let run: String
    /// The run that it continues, if it does.
    let continues: String?
    /// SHA-256 of the bundle's manifest.
    let manifest: String
    let study: Identifier
    let text: StudyText
    /// `yyyy-MM-dd`.
    let date: String
    private(set) var tables: [Table: TableText] = [:]

    /// Reads a bundle and makes its rows.
    ///
    /// - Parameters:
    ///   - deidentification: `nil` leaves everything as it was recorded.
    ///   - tasks: the tasks of studies that were already read.
    /// - Throws: `BundleFailure` if anything is not as it was sealed, or if a recording does not hold as many
    ///   samples as the result says.
    init(
        of path: String, _ deidentification: Deidentification? = nil,
        _ tasks: TasksOfBundles = TasksOfBundles()
    ) throws(BundleFailure) {
        let bundle = try ResultBundle(verifying: path)
        if let contradiction = try tasks.studies.contradictions(in: bundle).first {
            throw BundleFailure("collate", path, .malformed(contradiction))
        }
        let task = tasks.task(of: bundle)
        let rates = ExpectedRates(of: task)
        let expected = bundle.visits.map { rates[$0] }
        let missed = task?.quality.map { RunQuality(of: bundle.visits).shortfalls(of: $0) }
        do {
            var deidentification = deidentification
            try self.init(
                of: deidentification?.applied(to: bundle) ?? bundle, expected,
                isPoor: missed.map { !$0.isEmpty })
            for (table, text) in tables {
                try deidentification?.check(text.csv + text.ndjson, table.rawValue)
            }
        } catch {
            throw error as? BundleFailure ?? BundleFailure("collate", path, .malformed("\(error)"))
        }
    }

    private init(of bundle: ResultBundle, _ expected: [ExpectedCourse?], isPoor: Bool?) throws {
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
        let others = try addVisits(of: bundle, expected, journal)
        addSession(of: bundle, seed: plan?.seed, isPoor: isPoor, otherItems: others)
    }

    /// A table's rows, one JSON object a line.
    package func ndjson(of table: Table) -> [UInt8] { self[table].ndjson }

    /// Adds the meanings of the study's answers.
    mutating func add(_ codebook: Codebook) { self[.codebook] = codebook.rows }

    /// Adds what the study is meant to find out.
    mutating func add(_ outcomes: OutcomeRows) { self[.outcomes] = outcomes.rows }

    private(set) subscript(table: Table) -> TableText {
        get { tables[table, default: TableText(table)] }
        _modify { yield &tables[table, default: TableText(table)] }
    }

    private mutating func addDraws(_ draws: [Draw]) {
        for (index, draw) in draws.enumerated() {
            for (place, choice) in draw.chosen.enumerated() {
                self[.draws].addRow { row in
                    row.integer(index + 1)
                    row.integer(place + 1)
                    row.text(draw.stream)
                    row.text(draw.method)
                    row.text(choice)
                    row.integer(draw.pool.count)
                    row.integer(draw.number)
                    row.integer(draw.row)
                }
            }
        }
    }

    /// - Returns: how many items of recorders have no table.
    private mutating func addVisits(
        of bundle: ResultBundle, _ expected: [ExpectedCourse?], _ journal: JournalRows
    ) throws -> Int {
        var recordings = RecordingRows(
            of: bundle.visits, expected, samples: self[.samples], beats: self[.beats],
            numbers: self[.numbers], ratings: self[.ratings], taps: self[.taps], displays: self[.displays])
        var clips = HeardClips()
        let replaced = ResultBundle.Visit.replaced(in: bundle.visits)
        for (index, visit) in bundle.visits.enumerated() {
            let heard = clips.last(at: visit)
            for answer in visit.answers { addAnswer(answer, visit, after: heard) }
            for mark in visit.marks { addMark(mark, visit) }
            for recording in visit.recordings {
                var said: RecordingRows.SignalSummary?
                if recording.holdsItems {
                    try recordings.add(bundle.contents(of: recording), of: recording, at: index)
                    said = recordings.said
                }
                try addRecording(recording, visit, said, bundle.manifest, journal)
            }
            recordings.add(samplesOfProgram: visit)
        }
        let tellsMore = expected.contains { $0 != nil } || bundle.visits.contains(where: \.tellsMore)
        let hearts = tellsMore ? try BundleHearts(of: bundle) : nil
        for (index, visit) in bundle.visits.enumerated() {
            recordings.add(hearts?.detected[index] ?? nil, of: visit)
            let comparison = expected[index].flatMap { course in
                hearts.flatMap { course.comparison(of: $0.rates[index]) }
            }
            addVisit(
                visit, recordings.samplesOfVisits[index], comparison,
                visit.taps(recordings.tapsOfVisits[index]), hearts?.detected[index] ?? nil,
                hearts?.breathing[index] ?? nil, journal.attributes, replaced: replaced)
        }
        (self[.samples], self[.beats]) = (recordings.samples, recordings.beats)
        (self[.numbers], self[.displays]) = (recordings.numbers, recordings.displays)
        (self[.ratings], self[.taps]) = (recordings.ratings, recordings.taps)
        return recordings.otherItems
    }

    private mutating func addMark(_ mark: ResultBundle.Mark, _ visit: ResultBundle.Visit) {
        self[.marks].addRow { row in
            row.text(visit.path)
            row.integer(visit.visit)
            row.real(mark.offset)
            row.text(mark.kind)
            row.text(mark.severity)
            row.text(mark.control)
            row.text(mark.text)
            row.text(mark.author)
            row.real(mark.uncertainty)
        }
    }

    private mutating func addVisit(
        _ visit: ResultBundle.Visit, _ samples: Int, _ comparison: CurveComparison?,
        _ taps: TapSummary?, _ beats: WaveBeats?, _ breathing: Breathing?,
        _ attributes: [String: JSON], replaced: Set<Int>
    ) {
        let clip = visit.clip
        // Results of earlier programs lack the attributes, but their journals have them.
        let known = clip.flatMap { $0.attributes.isEmpty ? attributes[$0.identifier] : $0.attributesJSON }
        self[.steps].addRow { row in
            row.integer(visit.ordinal)
            row.text(visit.path)
            row.integer(visit.visit)
            row.integer(visit.round)
            row.real(visit.start)
            row.real(visit.end)
            row.real(visit.plannedDuration)
            for number in [visit.actualDuration, visit.stoodStill] { row.real(number) }
            row.text(visit.endedBy)
            row.boolean(visit.isSkipped)
            row.text(visit.skipReason)
            row.boolean(replaced.contains(visit.ordinal))
            row.boolean(visit.isTimedOut)
            row.text(visit.condition?.identifier)
            row.json(visit.condition.map { .members($0.values.mapValues { .text($0) }) })
            // Blocks nest at most three levels deep, so at most two of them contain the step's own block.
            let outer = visit.outerRounds.reversed() as [ResultBundle.OuterRound]
            for level in 0..<2 {
                row.integer(level < outer.count ? outer[level].round : nil)
                row.text(level < outer.count ? outer[level].condition?.identifier : nil)
            }
            row.text(clip?.identifier)
            row.text(clip?.title)
            row.text(known?["mood"]?.text)
            row.real(known?["tempo"]?.text.flatMap { Double($0) })
            row.json(known)
            for number in [clip?.start, clip?.onset, clip?.end, clip?.gain] { row.real(number) }
            row.real(visit.meanTempo)
            row.json(clip.flatMap { $0.changes.isEmpty ? nil : .list($0.changes.map(\.json)) })
            row.integer(clip?.underruns)
            row.text(clip?.problem)
            row.json(visit.latenessJSON)
            row.real(visit.lateness.max { abs($0.seconds) < abs($1.seconds) }?.seconds)
            row.real(visit.recordings.map(\.coverage).min())
            row.integer(samples)
            row.real(comparison?.meanAbsoluteError)
            row.real(comparison?.shareInBand)
            row.integer(taps?.count)
            row.integer(taps?.onBeats)
            for number in [taps?.meanAsynchrony, taps?.asynchronyDeviation] { row.real(number) }
            for number in [taps?.meanDirection, taps?.vectorLength] { row.real(number) }
            row.text(beats.flatMap { $0.isChosen ? $0.recorder : nil })
            for number in [breathing?.rate, breathing?.quality] {
                row.real(number.map { ($0 * 1000).rounded() / 1000 })
            }
            row.text(breathing?.origin.rawValue)
        }
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
        self[.recordings].addRow { row in
            row.text(visit.path)
            row.integer(visit.visit)
            row.text(recording.recorder)
            row.integer(recording.segment)
            row.integer(recording.part)
            row.text(recording.name)
            row.text(recording.quantity)
            row.text(source)
            row.text(kind)
            row.real(recording.start)
            row.real(recording.end)
            row.integer(recording.sampleCount)
            row.real(recording.coverage)
            row.integer(recording.gaps.count)
            row.real(recording.gapSeconds)
            row.json(recording.gapsJSON)
            row.integer(recording.lateSamples)
            row.integer(recording.droppedSamples)
            row.real(said?.meanQuality)
            row.text(recording.reason)
            row.integer(recording.rating?.changes)
            row.integer(recording.source?.battery)
            row.text(recording.source?.sensorLocation)
        }
    }

    /// - Parameter clip: the clip that the answer is about.
    private mutating func addAnswer(
        _ answer: ResultBundle.Answer, _ visit: ResultBundle.Visit, after clip: String?
    ) {
        self[.answers].addRow { row in
            row.text(visit.path)
            row.integer(visit.visit)
            row.text(clip)
            row.text(answer.question)
            row.text(answer.kind)
            row.text(answer.text)
            row.real(answer.number)
            row.text(answer.unit)
            row.text(answer.other)
            row.real(answer.times?.shown)
            row.real(answer.times?.touched)
            row.real(answer.times?.changed)
            row.real(answer.times?.confirmed)
            row.integer(answer.times?.changes)
            row.integer(answer.prompt?.number)
            row.real(answer.prompt?.planned)
            row.real(answer.prompt?.shown)
            row.real(answer.prompt?.ended)
            row.text(answer.prompt?.endedBy)
            row.text(answer.reaction?.key)
            row.real(answer.reaction?.time)
            row.real(answer.reaction?.onset)
            row.text(answer.reaction?.measuredFrom)
            row.boolean(answer.reaction?.isRight)
            row.integer(answer.reaction?.ignoredKeys)
        }
    }

    private mutating func addParticipant(of bundle: ResultBundle) {
        for trait in ParticipantTrait.all(of: bundle) {
            self[.participants].addRow { row in
                row.text(trait.name)
                row.text(trait.kind.rawValue)
                row.text(trait.text)
                row.real(trait.number)
                row.text(trait.unit)
            }
        }
    }

    private mutating func addSession(of bundle: ResultBundle, seed: UInt64?, isPoor: Bool?, otherItems: Int) {
        var time = TimeText()
        let (manifest, counts) = (bundle.manifest, Table.counted.map { self[$0].rows })
        let interruptions = bundle.interruptions.map(\.length)
        let interrupted = manifest.run.continues.map { _ in interruptions.reduce(0, +) }
        let start = Int((manifest.start.secondsSince1970(of: .start) * 1000).rounded())
        self[.sessions].addRow { row in
            row.text(manifest.task.text)
            row.integer(manifest.revision)
            row.text(manifest.studySHA256)
            row.time(time.write(start))
            row.text(manifest.start.zone)
            row.integer(manifest.start.utcOffset)
            row.real(Double(manifest.duration.wholeNanoseconds) / 1e9)
            row.text(manifest.status.rawValue)
            row.boolean(isPoor)
            row.boolean(manifest.isRecovered)
            row.boolean(manifest.isClockAdjusted)
            row.text(manifest.run.origin.rawValue)
            row.boolean(manifest.provenance?.isParticipantSimulated)
            row.text(
                manifest.provenance.map { String(decoding: $0.sourcesJSON.encoded(), as: UTF8.self) })
            row.real(manifest.speed)
            row.text(manifest.repeatReason)
            row.text(manifest.run.meaningSHA256)
            row.text(manifest.run.registrationSHA256)
            row.text(manifest.run.deviation)
            row.text(manifest.run.continues)
            row.real(interrupted)
            row.text(manifest.run.gathering?.uuid)
            row.integer(manifest.run.gathering?.place)
            row.text(manifest.run.arm?.text)
            row.text(manifest.run.sessionName?.text)
            row.integer(manifest.run.sessionDay)
            row.text(manifest.language?.tag)
            row.text(manifest.program)
            row.text(seed.map { "\($0)" })
            row.text(bundle.manifestSHA256)
            for count in counts { row.integer(count) }
            row.integer(otherItems)
        }
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

extension ResultBundle.Visit {
    /// `nil` if no moment was planned.
    fileprivate var latenessJSON: JSON? {
        guard !lateness.isEmpty else { return nil }
        return .members(
            Dictionary(lateness.map { ($0.moment, .real($0.seconds)) }, uniquingKeysWith: { $1 }))
    }
}

extension ResultBundle.Recording {
    /// What was recorded: the signal's name.
    fileprivate var quantity: String? {
        Signal.all.first { name.hasPrefix($0.type + "_") }?.name
    }

    /// The total length of all gaps, exact to the nanosecond.
    fileprivate var gapSeconds: Double { gaps.map(\.span).totalLength }

    fileprivate var gapsJSON: JSON {
        .list(
            gaps.map {
                [
                    "from": .real($0.span.lowerBound), "to": .real($0.span.upperBound),
                    "reason": .text($0.reason),
                ]
            })
    }
}
