import BundleReplay
import Datasets
import Hashing
package import Participants
package import Platform
import Recordings
import Results
import StudyModel
import TextFormat
package import TransparencyLog

/// The analysis that was written down when a study was frozen: its outcomes, for the runs of the registered study.
package struct RegisteredAnalysis: Sendable {
    /// Lower-case hexadecimal SHA-256 of `registration.json`.
    package let sha256: String
    /// When it was written, by the machine's clock: `2026-11-23`.
    package let date: String
    /// The same in seconds since 1970; `nil` if it is no date.
    let moment: Double?
    /// What a time stamp says of it.
    package var stamp = Stamp.none
    /// What the logs beside the runs say of their order.
    package var logged = LogAccount()
    /// The study's name.
    package let study: String
    /// The seed of the sign flips.
    package let seed: UInt64
    let outcomes: [Outcome]
    private let meaning: String

    /// What proves when a registration was there.
    package enum Stamp: Hashable, Sendable {
        /// Nothing but its own date.
        case none
        /// A time stamp that nobody has verified.
        case unverified
        /// A time stamp that was verified: its time, and the same in seconds since 1970.
        case verified(String, at: Double)
    }

    /// - Parameter folder: the folder that 'entrain freeze' wrote.
    /// - Throws: `FileFailure` if it is not as it was written.
    package init(in folder: String) throws(FileFailure) {
        let path = "\(folder)/\(Registration.fileName)"
        let bytes = try Folder(folder).read(Registration.fileName)
        let registration = try Registration(parsing: bytes, from: path)
        let checked = try registration.study(in: folder)
        let model: Study
        do { model = try checked.study() } catch {
            throw FileFailure("read", folder, .malformed("this program cannot read the study any more"))
        }
        sha256 = SHA256.hexadecimal(of: bytes)
        (date, study) = (String(registration.date.prefix(10)), registration.study.text)
        moment = RecordedTime.instant(of: registration.date)
        (seed, meaning) = (registration.analysisSeed, registration.meaningSHA256)
        let text = StudyText(revision: registration.revision, sha256: registration.meaningSHA256)
        do {
            let rows = try OutcomeRows(of: model, model.identifier, text, nil)
            outcomes = try Outcome.byText(rows.rows.ndjson)[text.sha256] ?? []
        } catch {
            throw FileFailure("read", folder, .malformed("\(error)"))
        }
    }

    /// The number of its entry in a log beside the runs, from 0; `nil` if no log has it.
    var logEntry: Int? { logged.number(ofRegistration: sha256) }

    /// Whether a run is of the study as it was registered.
    func holds(_ session: RecordedSession) -> Bool { session.meaning == meaning }
}

/// How sessions stand to a registration in time. One that names the registration was run after it was written; of the
/// others, the order of a log tells which are later, then a verified time stamp, and without both, clocks tell which
/// began before.
package struct RegistrationClaim: Hashable, Sendable {
    /// Sessions of participants.
    package var sessions = 0
    /// Sessions that do not name the registration and began before it was there.
    package var earlier = 0
    /// Sessions that do not name it and began later, if its date can be believed.
    package var unnamed = 0
    /// Sessions that began before a verified time stamp.
    package var beforeStamp = 0

    /// Sessions that are not shown to be later than the registration.
    var doubtful: Int { earlier + unnamed }
    /// Whether no session is shown to be later.
    package var isExploratory: Bool { doubtful > 0 && doubtful == sessions }

    init(of sessions: some Sequence<RecordedSession>, _ registered: RegisteredAnalysis) {
        for session in sessions where !session.origin.isInvented {
            self.sessions += 1
            if registered.stamp.isAfter(session) == true { beforeStamp += 1 }
            switch registered.order(of: session) {
            case .later: continue
            case .earlier: earlier += 1
            case .unnamed: unnamed += 1
            }
        }
    }

    /// Which sessions are not shown to be later.
    fileprivate var words: String {
        let counts = [
            earlier > 0 ? "registered after \(earlier) of \(counted(sessions, "session"))" : nil,
            unnamed > 0
                ? "\(unnamed) of \(counted(sessions, "session")) \(unnamed == 1 ? "does" : "do") not name the registration"
                : nil,
        ]
        return counts.compactMap(\.self).joined(separator: ", and ")
    }
}

extension RegisteredAnalysis.Stamp {
    /// Whether a session may have begun before the time stamp, which has whole seconds; `nil` if there is none.
    fileprivate func isAfter(_ session: RecordedSession) -> Bool? {
        guard case .verified(_, let moment) = self else { return nil }
        return RecordedTime.instant(of: session.start).map { $0 < moment + 1 }
    }
}

extension RegisteredAnalysis {
    /// How a session stands to the registration in time.
    enum Order { case later, earlier, unnamed }

    func order(of session: RecordedSession) -> Order {
        guard session.registration != sha256 else { return .later }
        if let isLater = logged.isRun(session.run, laterThan: sha256) { return isLater ? .later : .earlier }
        if let isEarlier = stamp.isAfter(session) { return isEarlier ? .earlier : .later }
        let began = RecordedTime.instant(of: session.start)
        // The date is cut to whole seconds.
        let isEarlier = began.flatMap { began in moment.map { began < $0 + 1 } } ?? false
        return isEarlier ? .earlier : .unnamed
    }

    /// When it was registered, and what proves it.
    fileprivate func dated(_ claim: RegistrationClaim) -> String {
        switch stamp {
        case .none:
            "registered on \(printable(date))"
                + (logEntry.map { ", entry \($0) of the log" } ?? "")
        case .unverified:
            "registered on \(printable(date)) (its time stamp is not verified: name its authority with --authority)"
        case .verified(let time, _):
            "stamped on \(time), "
                + (claim.beforeStamp == 0
                    ? "before the first session"
                    : "after the beginning of \(claim.beforeStamp) of \(counted(claim.sessions, "session"))")
        }
    }
}

extension Analysis {
    /// Whether this is the registered analysis; `nil` if no run is of a study that names a registration.
    package var registrationLine: String? {
        guard let registered else {
            guard sessions.contains(where: { $0.registration != nil }) else { return nil }
            return "exploratory: the study is registered, and --registered makes the registered analysis"
        }
        guard let claim else { return nil }
        let what = "\(printable(registered.study)), \(registered.dated(claim)), SHA-256 \(registered.sha256)"
        guard !claim.isExploratory else {
            return "\(claim.words): exploratory; the outcomes are those of \(what)"
        }
        let isTried = sessions.contains { $0.origin.isInvented }
        return (isTried ? "the registered analysis, tried with simulated runs" : "the registered analysis")
            + " of \(what)"
            + (claim.doubtful == 0 ? "" : "; \(claim.words), and only the later ones count")
    }

    /// Runs that departed from the protocol, as the experimenters said.
    package var departed: [RecordedSession] { sessions.filter { $0.deviation != nil } }
}
