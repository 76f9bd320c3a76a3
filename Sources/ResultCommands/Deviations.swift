import ArgumentParser
import BundleReplay
import Console
import Datasets
package import Participants
package import Platform
import Results
package import StudyFile
import StudyModel
import TextFormat

package struct Deviations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deviations", abstract: "Lists every session that departed from the protocol.",
        discussion: """
            It lists the sessions for which --deviation or --repeat gave a reason, sessions whose study was not the \
            registered one, and sessions whose study differs from that of the first session of the same revision. \
            Comments and formatting make no difference. With --registration, it says what differs from the registered \
            study.
            """)

    @Argument(help: "The folder with the bundles, at any depth.", completion: .directory)
    var results: String

    @Option(help: "The folder that 'entrain freeze' wrote.", completion: .directory)
    var registration: String?

    @OptionGroup var simulated: SimulatedRuns

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() throws {
        var register = try reporting { try Register(below: results) }
        let registered = try registration.map { folder in
            try reporting {
                try RegistrationOptions.reading(folder) {
                    try Registration(in: folder).study(in: folder).meaning
                }
            }
        }
        let runs = register.runs.filter {
            // What is said of a run stands in the one that continues it, too.
            $0.continuedBy == nil
                && register.takes($0.run.origin, includingSimulated: simulated.includeSimulated)
        }
        let found = Departure.found(in: runs, registered: registered) { register.refuse($0.path, $1) }
        switch format {
        case .json:
            Output.say(
                json: register.leftOut.json([
                    "runs": .integer(runs.count),
                    "deviations": .list(found.map { Self.json($0.entry, $0.departures) }),
                ]))
        case .text:
            var lines = ["\(counted(runs.count, "session")), \(found.count) of them with deviations"]
            for (entry, departures) in found {
                lines.append(
                    "\(printable(entry.run.participant)), session \(entry.run.session), "
                        + "\(entry.run.wallClock.date(of: .start).prefix(10)), \(entry.run.study), run \(entry.run.runUUID)"
                )
                lines += departures.map { "  \($0.words)" }
            }
            lines += register.leftOut.lines(unsealed: "its words count, its study was not compared")
            Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
        }
        if !register.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }

    private static func json(_ entry: Register.Entry, _ departures: [Departure]) -> JSON {
        [
            "run": .text(entry.run.runUUID), "path": .text(entry.path), "study": .text(entry.run.study.text),
            "revision": .integer(entry.run.revision), "participant": .text(entry.run.participant),
            "session": .integer(entry.run.session),
            "startDate": .text(entry.run.wallClock.date(of: .start)),
            "deviations": .list(
                departures.map { ["kind": .text($0.kind.rawValue), "text": .text($0.text)] }),
        ]
    }
}

/// One way in which a session departed from the protocol.
package struct Departure {
    fileprivate var kind: Kind
    fileprivate var text: String

    /// Such as `stated: the strap was forgotten`.
    package var words: String { "\(kind.words): \(printable(text))" }

    /// The runs that departed from the protocol, in the order of their time.
    ///
    /// - Parameters:
    ///   - registered: the registered study, if it is at hand.
    ///   - refuse: receives what cannot be read.
    package static func found(
        in runs: [Register.Entry], registered: StudyMeaning? = nil,
        refuse: (Register.Entry, FileFailure) -> Void
    ) -> [(entry: Register.Entry, departures: [Departure])] {
        var texts = RecordedMeanings(registered: registered)
        var found: [(entry: Register.Entry, departures: [Departure])] = []
        for entry in runs.sorted(by: { $0.run.wallClock.sinceEpoch < $1.run.wallClock.sinceEpoch }) {
            do throws(FileFailure) {
                let departures = try texts.departures(of: entry)
                if !departures.isEmpty { found.append((entry, departures)) }
            } catch {
                refuse(entry, error)
            }
        }
        return found
    }

    fileprivate enum Kind: String {
        case stated, repeated, registration, revision, altered

        var words: String {
            switch self {
            case .stated: "stated"
            case .repeated: "the session was done again"
            case .registration: "not the registered study"
            case .revision: "not the study of the first session of this revision"
            case .altered: "the bundle was altered"
            }
        }
    }
}

/// What the studies in bundles say; each is read once.
private struct RecordedMeanings {
    /// The registered study, if it is available.
    let registered: StudyMeaning?
    private let studies = StudiesOfBundles()
    private var firsts: [Revision: (meaning: StudyMeaning, files: [String: String])] = [:]

    private struct Revision: Hashable {
        var study: Identifier
        var revision: Int
    }

    init(registered: StudyMeaning?) { self.registered = registered }

    /// - Parameter entry: a run; runs come in the order of their time.
    mutating func departures(of entry: Register.Entry) throws(FileFailure) -> [Departure] {
        let run = entry.run
        var found = run.deviation.map { [Departure(kind: .stated, text: $0)] } ?? []
        if let reason = run.repeatReason { found.append(Departure(kind: .repeated, text: reason)) }
        guard entry.status != nil else { return found }
        let bundle = try ResultBundle(at: entry.path)
        guard !bundle.manifest.isPseudonymised else { return found }
        found += try studies.contradictions(in: bundle).map { Departure(kind: .altered, text: $0) }
        let recorded = try studies.study(of: bundle)
        let checked: CheckedStudy
        // An older program may have run a study that this one cannot read, though it can tell what it says.
        if let recorded { checked = recorded.study } else { checked = try CheckedStudy(recordedIn: bundle) }
        let (meaning, registration) = (recorded?.meaning ?? checked.meaning, try checked.registration())
        if let registration, registration.meaningSHA256 != meaning.sha256 {
            let isThat = registered?.sha256 == registration.meaningSHA256
            found.append(
                Departure(
                    kind: .registration,
                    text: isThat
                        ? Self.words(meaning, registered) : "registered on \(registration.date.prefix(10))"))
            return found
        }
        if let registration {
            let changed = run.changedFiles(since: registration.fileDigests)
            return found + changed.map { Departure(kind: .registration, text: $0) }
        }
        let key = Revision(study: run.study, revision: run.revision)
        guard let first = firsts[key] else {
            if run.deviation == nil { firsts[key] = (meaning, run.fileDigests) }
            return found
        }
        if first.meaning.sha256 != meaning.sha256 {
            found.append(Departure(kind: .revision, text: Self.words(meaning, first.meaning)))
        }
        found += run.changedFiles(since: first.files).map { Departure(kind: .revision, text: $0) }
        return found
    }

    private static func words(_ meaning: StudyMeaning, _ other: StudyMeaning?) -> String {
        other.map { meaning.differences(from: $0).map(\.description).joined(separator: "; ") } ?? ""
    }
}
