import Console
import Datasets
import Glibc
import Participants
import Platform
import Results
import StudyEngine
import StudyFile
import StudyModel
import TextFormat

extension Readiness {
    /// Whether there is room for the run and, where the study lists its sessions, for all that are still to come of
    /// everybody who takes part; and for how many runs there is.
    ///
    /// Without room for the run, it must not begin. Without room for the others, or where nobody knows the others for
    /// fewer than 20 runs, somebody should look.
    func disk(among register: Register) throws -> Finding {
        let parent = Self.existing(output)
        guard let free = FreeSpace.bytes(at: parent) else {
            return Finding(state: .stop, subject: "disk", words: "\(parent) cannot be looked at")
        }
        guard unsafe access(parent, W_OK) == 0 else {
            return Finding(state: .stop, subject: "disk", words: "nothing can be written to \(parent)")
        }
        do {
            try Folder(parent).mustBeForBundles()
        } catch {
            return Finding(state: .stop, subject: "disk", words: error.description)
        }
        let needed = plan.mostBytes
        let room = Int((free / needed).rounded(.down))
        let toCome = try toCome(among: register)
        let all = Double(toCome?.runs ?? 20) * needed
        var words = ["\(size(free)) free; the run needs at most \(size(needed))"]
        if let toCome {
            words.append(
                "\(counted(toCome.runs, "run")) to come of \(counted(toCome.people, "participant")) "
                    + "\(toCome.runs == 1 ? "needs" : "need") at most \(size(all))"
                    + (free < all ? ", which do not fit" : ""))
        }
        if room > 0 {
            let so = toCome == nil ? "so " : ""
            words.append(
                "\(so)there is room for \(room > 9999 ? "10,000 or more" : counted(room, "run")) like it")
        }
        return Finding(
            state: free < needed ? .stop : free < all ? .look : .ok, subject: "disk",
            words: words.joined(separator: toCome == nil ? ", " : "; "))
    }

    /// The sessions that are still to come, this one among them, as the register sees them, and of how many people;
    /// `nil` where the study does not list its sessions.
    private func toCome(among register: Register) throws -> (runs: Int, people: Int)? {
        guard !study.sessions.isEmpty else { return nil }
        let runs = register.runs.filter { $0.run.study == study.identifier && !$0.run.origin.isInvented }
        let withdrawn = try Withdrawals(of: output).codes
        let counts = Set(runs.map(\.run.participant)).union([plan.participant]).subtracting(withdrawn)
            .map { Schedule(of: $0, in: study, runs: runs) }.filter { $0.end == nil }
            .map { $0.appointments.count(where: \.isToCome) }.filter { $0 > 0 }
        return (counts.reduce(0, +), counts.count)
    }

    /// The folder, or the nearest existing folder above it.
    static func existing(_ path: String) -> String {
        var path = path
        while unsafe access(path, F_OK) != 0 {
            let parent = FilePath.folder(of: path)
            guard parent != path, !parent.isEmpty else { return "." }
            path = parent
        }
        return path
    }

    private func size(_ bytes: Double) -> String {
        bytes >= 1e9 ? "\(oneDecimal(bytes / 1e9)) GB" : "\(whole((bytes / 1e6).rounded(.up))) MB"
    }
}

extension RunPlan {
    /// A generous estimate of what a run writes, bytes, including the copy made while it is sealed.
    fileprivate var mostBytes: Double {
        let entries = sections.flatMap(\.passes).joined().filter { !$0.isOtherRung }
        let seconds = entries.reduce(0.0) { $0 + ($1.step.facts.timing?.longest.seconds ?? 60) }
        let rate = recorders.reduce(2000.0) { sum, recorder in
            switch recorder.signal.form {
            case .sound: sum + 100_000
            case .picture, .wave: sum + 20_000
            case .rating, .tap, .display, .rate, .intervals, .number, .act, .position: sum + 4000
            }
        }
        return 2 * seconds * rate + 1e6
    }
}
