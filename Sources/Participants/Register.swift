package import Platform
package import Results
package import StudyModel
import TextFormat

/// Who took part, and in what. It is worked out from a folder's bundles each time, and stored nowhere else.
package struct Register: Sendable {
    /// By study, participant, session, task and time.
    package private(set) var runs: [Entry] = []
    package private(set) var leftOut = LeftOut()

    /// A run of the register.
    package struct Entry: Sendable {
        /// The path of the run's folder.
        package var path: String
        package var run: RunDescription
        /// How it ended; `nil` if it is still going on, or was killed and is not recovered yet.
        package var status: FinishReason?
        /// Whether a program still writes it; one that was killed does not go on.
        package var goesOn = false
        /// Whether it counts, rather than another run of the same session.
        package var counts = true
        /// The run that continues it; `nil` if none does.
        package fileprivate(set) var continuedBy: String?
        /// Its place among the runs that continue each other, from 1.
        fileprivate var part = 1

        init(path: String, run: RunDescription, status: FinishReason? = nil) {
            (self.path, self.run, self.status) = (path, run, status)
        }
    }

    private init() {}

    /// The register of all bundles in a folder, at any depth.
    ///
    /// - Throws: `FileFailure` if the folder cannot be listed.
    package init(below folder: String) throws(FileFailure) {
        var search = BundleSearch(known: [])
        try search.look(in: folder)
        leftOut = search.leftOut
        var held = HeldRuns()
        for path in search.bundles {
            do throws(FileFailure) {
                let manifest = try Manifest(ofBundle: path)
                let sum = try ResultBundle.sealedManifestSum(at: path)
                guard try Folder(path).digest(of: "manifest.json").sha256 == sum else {
                    throw FileFailure(
                        "read", path, .malformed("its manifest was changed since it was sealed"))
                }
                if try held.isNew(manifest.runUUID, sum, at: path) {
                    runs.append(Entry(path: path, run: manifest.run, status: manifest.status))
                }
            } catch {
                leftOut.add(damaged: path, error)
            }
        }
        for path in search.leftOut.unsealed { add(unsealed: path) }
        decide()
    }

    /// The register of the bundles and runs directly in an output folder; empty if the folder does not exist yet.
    package init(in output: String) throws(FileFailure) {
        guard let entries = try Self.entries(of: output) else { return }
        leftOut.withdrawals = try Withdrawals(of: output)
        for entry in entries where entry.isFolder {
            let path = "\(output)/\(entry.name)"
            if UUIDText.isUUID(entry.name), let manifest = Manifest.atHand(path) {
                runs.append(Entry(path: path, run: manifest.run, status: manifest.status))
            } else if entry.name.hasSuffix(".running") {
                add(unsealed: path)
            }
        }
        decide()
    }

    private static func entries(of output: String) throws(FileFailure) -> [Folder.Entry]? {
        do throws(FileFailure) {
            return try Folder(output).entries()
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// A run whose journal has no first line yet is left out, because nothing is known about it.
    private mutating func add(unsealed path: String) {
        guard let header = JournalHeader.atHand(path) else { return }
        var entry = Entry(path: path, run: header.run)
        entry.goesOn = UnsealedRun.goesOn(path)
        runs.append(entry)
    }

    /// Whether a run is taken. A run that is not taken is counted.
    package mutating func takes(_ origin: RunOrigin, includingSimulated: Bool) -> Bool {
        leftOut.takes(origin, includingSimulated: includingSimulated)
    }

    /// Records a bundle that turned out to be damaged.
    package mutating func refuse(_ path: String, _ failure: FileFailure) {
        leftOut.add(damaged: path, failure)
    }

    private mutating func decide() {
        let next = Dictionary(
            runs.compactMap { entry in entry.run.continues.map { ($0, entry.run.runUUID) } }
        ) {
            first, _ in first
        }
        let before = Dictionary(runs.map { ($0.run.runUUID, $0.run.continues) }) { first, _ in first }
        for index in runs.indices {
            runs[index].continuedBy = next[runs[index].run.runUUID]
            var earlier = runs[index].run.continues
            while let run = earlier, let known = before[run], runs[index].part < runs.count {
                runs[index].part += 1
                earlier = known
            }
        }
        let counted = CountedRuns(
            of: runs.filter { $0.status != nil }.map {
                CountedRuns.Run($0.run, isCompleted: $0.status == .completed)
            })
        for index in runs.indices where runs[index].status != nil {
            runs[index].counts = counted.counts(runs[index].run.runUUID)
        }
        runs.sort {
            ($0.run.study, $0.run.participant, $0.run.session, $0.run.task, $0.order)
                < ($1.run.study, $1.run.participant, $1.run.session, $1.run.task, $1.order)
        }
    }

    /// The runs of the same study, task, participant and session that are not rehearsals, by time.
    package func sessions(like run: RunDescription) -> [Entry] {
        runs.filter {
            !$0.run.origin.isInvented && $0.run.study == run.study && $0.run.task == run.task
                && $0.run.participant == run.participant && $0.run.session == run.session
        }
    }

    /// The code after the highest code of the most common form; `P01` if no code ends in digits. Rehearsals use up
    /// no codes. Participants who have withdrawn keep theirs, also if nothing else is left of them.
    ///
    /// - Parameter others: codes that have no run, and are not free either.
    package func nextCode(besides others: Set<String> = []) -> String {
        let codes = Set(runs.filter { !$0.run.origin.isInvented }.map(\.run.participant))
            .union(leftOut.withdrawals.codes).union(others)
        let parts =
            codes.compactMap(Self.parts(of:))
            + leftOut.withdrawals.nextCodes.compactMap(Self.parts(of:)).map { next in
                (next.prefix, next.digits, next.number - 1)
            }
        let series = Dictionary(grouping: parts, by: \.prefix)
            .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        guard let series, let highest = series.value.max(by: { $0.number < $1.number }) else { return "P01" }
        return series.key + digits(highest.number + 1, highest.digits.count)
    }

    private static func parts(of code: String) -> (prefix: String, digits: Substring, number: Int)? {
        let digits = code.suffix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number < 1_000_000_000 else { return nil }
        return (String(code.dropLast(digits.count)), digits, number)
    }
}

extension Register.Entry {
    /// Sorts runs by the time at which they began, and those that continue each other as they followed.
    package var order: Order { Order(began: run.wallClock.sinceEpoch, part: part, run: run.runUUID) }

    package struct Order: Comparable, Sendable {
        var began: Duration
        var part: Int
        var run: String

        package static func < (left: Self, right: Self) -> Bool {
            (left.began, left.part, left.run) < (right.began, right.part, right.run)
        }
    }
}

extension StringProtocol {
    fileprivate func suffix(while isWanted: (Character) -> Bool) -> SubSequence {
        self[(lastIndex { !isWanted($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}

/// Which of several runs of one session counts: the last completed run, or the last run if none was completed.
///
/// A run that another one continues does not count: all that it holds is in the other one, too.
///
/// Runs belong to one session if study, task, participant and session number are the same. All rehearsals count,
/// and never replace a run of a participant.
package struct CountedRuns {
    private var kept: [Session: Run] = [:]
    private var sessions: [String: Session] = [:]
    private var continued: Set<String> = []

    fileprivate struct Session: Hashable {
        var study: String
        var task: String
        var participant: String
        var session: Int
        var isInvented: Bool
    }

    package struct Run {
        fileprivate var session: Session
        fileprivate var isCompleted: Bool
        /// In the same form for all runs that are compared.
        fileprivate var start: String
        fileprivate var run: String
        fileprivate var continues: String?
    }

    package init(of runs: some Collection<Run>) {
        continued = Set(runs.compactMap(\.continues))
        for run in runs where !continued.contains(run.run) {
            sessions[run.run] = run.session
            if let other = kept[run.session],
                (run.isCompleted ? 1 : 0, run.start, run.run)
                    < (other.isCompleted ? 1 : 0, other.start, other.run)
            {
                continue
            }
            kept[run.session] = run
        }
    }

    /// Whether another run continues it.
    package func isContinued(_ run: String) -> Bool { continued.contains(run) }

    /// Whether a run counts; a run that was not given does.
    package func counts(_ run: String) -> Bool {
        if isContinued(run) { return false }
        guard let session = sessions[run], !session.isInvented else { return true }
        return kept[session]?.run == run
    }
}

extension CountedRuns.Run {
    init(_ run: RunDescription, isCompleted: Bool) {
        // Counted from the year 1653, so that it is never negative.
        let seconds = digits(Int(run.wallClock.seconds) + 10_000_000_000, 12)
        self.init(
            session: .init(
                study: run.study.text, task: run.task.text, participant: run.participant,
                session: run.session, isInvented: run.origin.isInvented),
            isCompleted: isCompleted, start: seconds + digits(Int(run.wallClock.nanoseconds), 9),
            run: run.runUUID, continues: run.continues)
    }

    package init(_ session: RecordedSession) {
        self.init(
            session: .init(
                study: session.study, task: session.task, participant: session.participant,
                session: session.session, isInvented: session.origin.isInvented),
            isCompleted: session.status == FinishReason.completed.rawValue, start: session.start,
            run: session.run, continues: session.continues)
    }
}
