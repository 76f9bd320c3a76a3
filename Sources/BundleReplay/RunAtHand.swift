package import Platform
package import Results
package import StudyEngine
package import StudyModel

/// A run that is not sealed, and where it stands: its journal replayed as far as it goes, beside the run itself.
package struct RunAtHand: Sendable {
    package let header: JournalHeader
    /// The engine, after all that the journal holds.
    package private(set) var run: TaskRun
    /// What is on show, and since when.
    package private(set) var shown: Timed<Presentation>?
    package private(set) var lastMark: RunMark?
    /// The alarms that nobody has acknowledged, oldest first.
    package private(set) var alarms: [RunMark] = []
    /// The sources that send nothing, and why.
    package private(set) var lost: [Identifier: SourceProblem] = [:]
    private var folder: UnsealedRun
    private var taken = 0

    /// - Parameter path: a folder whose name ends in `.running`.
    /// - Throws: `FileFailure` where it cannot be read, also because nothing is written yet; `StudyFailure` where its
    ///   study or its draws cannot be made again.
    package init(at path: String) throws {
        folder = try UnsealedRun(at: path)
        header = folder.journal.journal.header
        run = try Replay(header, study: folder.study).run
        takeNew()
    }

    /// Reads what was written since.
    package mutating func readOn() throws(FileFailure) {
        try folder.readOn()
        takeNew()
    }

    /// The heart rate that was received last, beats per minute; `nil` if none is recorded, or if its source is lost.
    package func lastHeartRate() throws(FileFailure) -> Timed<Double>? { try folder.lastHeartRate() }

    /// The step on show.
    package var step: Step? { shown.map { run.entry(for: $0.value).step } }

    private mutating func takeNew() {
        let records = folder.journal.journal.records
        for record in records[taken...] {
            switch record.content {
            case .event(let event):
                take(event)
                _ = run.handle(event, at: record.instant)
            case .effect(.show(let presentation)):
                shown = Timed(presentation, at: record.instant, arrival: record.instant)
            case .effect: continue
            }
        }
        taken = records.count
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .sourceChanged(let source, let problem): lost[source] = problem
        case .marked(let mark) where mark.kind == .alarm: alarms.append(mark)
        case .marked(let mark) where mark.kind == .acknowledgement:
            if let index = alarms.firstIndex(where: { $0.text == mark.text }) { alarms.remove(at: index) }
        case .marked(let mark): lastMark = mark
        case _: return
        }
    }
}
