import BundleReplay
import Datasets
import Hashing
package import Participants
package import Platform
import Recordings
import Results
import StudyModel
import TextFormat

/// The analysis that was written down when a study was frozen: its outcomes, for the runs of the registered study.
package struct RegisteredAnalysis: Sendable {
    /// Lower-case hexadecimal SHA-256 of `registration.json`.
    package let sha256: String
    /// When it was written, by the machine's clock: `2026-11-23`.
    package let date: String
    /// The same in seconds since 1970; `nil` if it is no date.
    let moment: Double?
    /// The study's name.
    package let study: String
    /// The seed of the sign flips.
    package let seed: UInt64
    let outcomes: [Outcome]
    private let meaning: String

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

    /// Whether a run is of the study as it was registered.
    func holds(_ session: RecordedSession) -> Bool { session.meaning == meaning }
}

/// How sessions stand to a registration in time. One that names the registration was run after it was written; of the
/// others, clocks tell which began before.
package struct RegistrationClaim: Hashable, Sendable {
    /// Sessions of participants.
    package var sessions = 0
    /// Sessions that do not name the registration and began before it was written.
    package var earlier = 0
    /// Sessions that do not name it and began later, if its date can be believed.
    package var unnamed = 0

    /// Whether the registration is not shown to be older than every session.
    package var isExploratory: Bool { earlier + unnamed > 0 }

    init(of sessions: [RecordedSession], _ registered: RegisteredAnalysis) {
        for session in sessions where !session.origin.isInvented {
            self.sessions += 1
            guard session.registration != registered.sha256 else { continue }
            let (began, written) = (RecordedTime.instant(of: session.start), registered.moment)
            // The date is cut to whole seconds.
            let isEarlier = began.flatMap { began in written.map { began < $0 + 1 } } ?? false
            if isEarlier { earlier += 1 } else { unnamed += 1 }
        }
    }

    /// What follows of a registered analysis, without the name of the study.
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

extension Analysis {
    /// Whether this is the registered analysis; `nil` if no run is of a study that names a registration.
    package var registrationLine: String? {
        guard let registered else {
            guard sessions.contains(where: { $0.registration != nil }) else { return nil }
            return "exploratory: the study is registered, and --registered makes the registered analysis"
        }
        let claim = RegistrationClaim(of: sessions, registered)
        guard !claim.isExploratory else {
            return
                "\(claim.words): exploratory; the outcomes are those of \(printable(registered.study)), registered on "
                + "\(printable(registered.date)), SHA-256 \(registered.sha256)"
        }
        let isTried = sessions.contains { $0.origin.isInvented }
        return (isTried ? "the registered analysis, tried with simulated runs" : "the registered analysis")
            + " of \(printable(registered.study)), registered on \(printable(registered.date)), SHA-256 \(registered.sha256)"
    }

    /// Runs that departed from the protocol, as the experimenters said.
    package var departed: [RecordedSession] { sessions.filter { $0.deviation != nil } }
}
