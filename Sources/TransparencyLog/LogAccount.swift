package import TextFormat

/// What the logs of results folders say of runs, and which of these runs are here.
package struct LogAccount: Sendable {
    /// What became of a run that is in a log.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// It is sealed, goes on, or is to be recovered.
        case here
        /// It is here, and is not what it was.
        case damaged
        /// It was destroyed, because its participant has withdrawn.
        case erased
        /// It is not here, and the log does not say why.
        case missing
    }

    package private(set) var logs: [ResultsLog] = []
    /// The paths of runs that are here, by their names in logs.
    package private(set) var places: [String: String] = [:]
    /// For each log, the numbers of the first entries about a run or a registration, from 0.
    private var first: [[String: Int]] = []
    /// What `SHA256SUMS` of a sealed run has as its own SHA-256, by the run's name.
    private var sums: [String: Set<String>] = [:]
    private var began: Set<String> = []
    private var erased: Set<String> = []
    /// Runs whose participant has withdrawn.
    private var withdrawn: Set<String> = []
    /// How many participants have withdrawn by a log, and not by the records of the folders.
    package var lostWithdrawals = 0
    /// How many logs do not continue the checkpoint of a bundle that is here.
    private var forked = 0
    /// Runs of logs that are perhaps not here, by the log's name, each with how many entries it may have, and the number of
    /// entries when the last of them began.
    private var strays: [String: (runs: [String: Int], size: Int)] = [:]

    package init() {}

    /// Adds a log, unless it is known.
    package mutating func add(_ log: ResultsLog) {
        guard !logs.contains(where: { $0.results == log.results }) else { return }
        logs.append(log)
        var numbers: [String: Int] = [:]
        var sealed: Set<String> = []
        for (number, entry) in log.entries.enumerated() {
            guard let entry else { continue }
            if numbers[entry.subject] == nil { numbers[entry.subject] = number }
            switch entry.kind {
            case .frozen, .allocated: break
            case .withdrawn: withdrawn.insert(entry.subject)
            case .begun: began.insert(entry.subject)
            case .sealed, .recovered:
                began.insert(entry.subject)
                // What is sealed once more is another bundle.
                guard sealed.insert(entry.subject).inserted else { continue }
                if let digest = entry.digest { sums[entry.subject, default: []].insert(digest) }
            case .erased: erased.insert(entry.subject)
            }
        }
        first.append(numbers)
    }

    package mutating func formUnion(_ other: LogAccount) {
        for log in other.logs { add(log) }
        places.merge(other.places) { first, _ in first }
        lostWithdrawals += other.lostWithdrawals
        forked += other.forked
        strays.merge(other.strays) { ($0.runs.merging($1.runs) { max($0, $1) }, max($0.size, $1.size)) }
    }

    /// Records where a run is; a whole bundle counts before others of the same run.
    package mutating func found(_ uuid: String, at path: String, isWhole: Bool) {
        let run = LogEntry.name(ofRun: uuid)
        if isWhole || places[run] == nil { places[run] = path }
    }

    /// Whether the participant of a run has withdrawn, as a log says.
    package func hasWithdrawn(_ uuid: String) -> Bool {
        !withdrawn.isEmpty && withdrawn.contains(LogEntry.name(ofRun: uuid))
    }

    /// Compares each log with the bundle that began last, which has a checkpoint of it.
    package mutating func compareLast(_ proof: (_ path: String) -> LogProof?) {
        for log in logs where log.problems.isEmpty {
            let last = log.entries.last { $0?.kind == .begun && places[$0?.subject ?? ""] != nil }
            guard let run = last??.subject, let path = places[run], let proof = proof(path) else { continue }
            if proof.log == log.name, log.problem(with: proof, ofRun: run) != nil { forked += 1 }
        }
    }

    /// Runs that have a proof of a log that is here, and that does not have them.
    private var strangers: Int {
        strays.filter { name, _ in logs.contains { $0.name == name } }.map(\.value.runs.count).reduce(0, +)
    }

    /// Records the proof of a run that no log here has.
    ///
    /// - Parameter isAllocated: whether its participant may have got an arm from a ledger.
    package mutating func found(_ proof: LogProof, ofRun uuid: String, isAllocated: Bool) {
        var known = strays[proof.log] ?? ([:], 0)
        known.runs[LogEntry.name(ofRun: uuid)] = isAllocated ? 3 : 2
        known.size = max(known.size, proof.index + 1)
        strays[proof.log] = known
    }

    /// Logs that are not here, and that had entries of more than the runs that are here: how many runs these are, how many
    /// entries the log had when the last of them began, and of how many they account at most. One more may be of a
    /// registration.
    private var absent: [(runs: Int, size: Int, explained: Int)] {
        strays.filter { name, _ in !logs.contains { $0.name == name } }.sorted { $0.key < $1.key }
            .map { ($0.value.runs.count, $0.value.size, $0.value.runs.values.reduce(-1, +)) }
            .filter { $0.size > $0.explained + 1 }
    }

    /// Whether a sealed run is not the one that a log knows.
    ///
    /// - Parameter digest: the SHA-256 of its `SHA256SUMS`; not asked for a run that no log says was sealed.
    package func isAltered(_ uuid: String, digest: () -> String?) -> Bool {
        guard let known = sums[LogEntry.name(ofRun: uuid)], let digest = digest() else { return false }
        return !known.contains(digest)
    }

    /// Whether a log says that a run began.
    package func hasBegun(_ uuid: String) -> Bool { began.contains(LogEntry.name(ofRun: uuid)) }

    /// Whether a log says that a run was sealed, by its name in logs.
    package func isSealed(_ run: String) -> Bool { sums[run] != nil }

    /// What became of a run, by its name in logs; `nil` if no log says that it began.
    ///
    /// - Parameter damaged: the paths of damaged bundles.
    package func state(of run: String, damaged: Set<String>) -> State? {
        guard began.contains(run) else { return nil }
        guard let path = places[run] else { return erased.contains(run) ? .erased : .missing }
        return damaged.contains(path) ? .damaged : .here
    }

    /// Where a log has a registration; `nil` if none has it.
    package func number(ofRegistration sha256: String) -> Int? { first.lazy.compactMap { $0[sha256] }.first }

    /// Whether a run is later in a log than a registration; `nil` if no log has both.
    package func isRun(_ uuid: String, laterThan registration: String) -> Bool? {
        let run = LogEntry.name(ofRun: uuid)
        return first.lazy.compactMap { numbers in
            numbers[registration].flatMap { frozen in numbers[run].map { $0 > frozen } }
        }.first
    }

    private func counts(damaged: Set<String>) -> [State: Int] {
        began.reduce(into: [:]) { counts, run in
            if let state = state(of: run, damaged: damaged) { counts[state, default: 0] += 1 }
        }
    }

    /// How many runs began, and what became of them, from a run that is not as it was; empty if all is there.
    ///
    /// - Parameter damaged: the paths of damaged bundles.
    package func losses(damaged: Set<String>) -> [String] {
        let counts = counts(damaged: damaged)
        guard counts[.missing] != nil || counts[.damaged] != nil else { return [] }
        return ["\(counted(began.count, "run")) began"]
            + State.allCases.compactMap { state in counts[state].map { "\($0) \(state.words($0))" } }
    }

    /// What must be known before any result: lost runs, and logs that contradict themselves. Empty if all is there. It
    /// names no folder, since a page that names nobody may hold it.
    package func lines(damaged: Set<String>) -> [String] {
        let losses = losses(damaged: damaged)
        return
            (logs.contains { !$0.problems.isEmpty }
            ? ["a log of runs is not to be trusted: 'entrain study log' says why"] : [])
            + (losses.isEmpty
                ? [] : ["by the log, \(losses.joined(separator: ", ")); 'entrain study log' lists them"])
            + (strangers + forked == 0
                ? []
                : [
                    "a log of runs does not continue the checkpoints in their bundles: it was put back, rewritten or continued in two places; 'entrain study log' says more"
                ])
            + (lostWithdrawals == 0
                ? []
                : [
                    "by the log, \(counted(lostWithdrawals, "participant")) more \(lostWithdrawals == 1 ? "has" : "have") withdrawn than the folder's record says, and \(lostWithdrawals == 1 ? "is" : "are") left out. Bring 'withdrawals.json' back from a backup, or withdraw once more"
                ])
            + absent.map { runs, size, explained in
                "by \(runs == 1 ? "its proof" : "their proofs"), \(counted(runs, "run")) here \(runs == 1 ? "is" : "are") of a log "
                    + "that is not here: it had \(size) entries when the last began, of which at most \(explained) "
                    + "\(explained == 1 ? "is" : "are") of these runs. Look for the folder '.log' beside the others"
            }
    }

    /// `null` if there is no log.
    package func json(damaged: Set<String>) -> JSON {
        guard !logs.isEmpty || !absent.isEmpty else { return .null }
        let counts = counts(damaged: damaged)
        let states = State.allCases.map { ($0.rawValue, JSON.integer(counts[$0, default: 0])) }
        return .members(
            Dictionary(uniqueKeysWithValues: states).merging([
                "began": .integer(began.count),
                "folders": .texts(logs.map(\.results)),
                "absent": .list(
                    absent.map {
                        [
                            "runs": .integer($0.runs), "entries": .integer($0.size),
                            "explained": .integer($0.explained),
                        ]
                    }),
                "problems": .texts(logs.flatMap { log in log.problems.map { "\(log.results): \($0)" } }),
            ]) { $1 })
    }
}

extension LogAccount.State {
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .here: count == 1 ? "is here" : "are here"
        case .damaged: count == 1 ? "is damaged" : "are damaged"
        case .erased: count == 1 ? "was erased" : "were erased"
        case .missing: count == 1 ? "is missing" : "are missing"
        }
    }
}
