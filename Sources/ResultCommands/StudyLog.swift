import ArgumentParser
import BundleReplay
import Console
import Participants
import Platform
import Results
import TextFormat
import TransparencyLog

struct StudyLog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Lists what happened in a results folder, and compares it with what is there.",
        discussion: """
            'entrain run' keeps a log in the folder: which runs began, and what they were when they were sealed. This \
            command verifies the log and its signature, and every bundle against it. It names runs that began and are not \
            here, and bundles that are not what they were; the exit code is then 65. Bundles that no log has, such as older \
            ones, are listed and are no fault.

            Whoever has the folder can write it anew. So keep a copy of '.log/checkpoint' where nobody in the laboratory can \
            change it, and compare it with --checkpoint.
            """)

    @Argument(help: "The folder with the bundles, at any depth.", completion: .directory)
    var results: String

    @Option(
        help: ArgumentHelp(
            "A copy of the log's checkpoint that was kept elsewhere; the log must continue it.",
            valueName: "file"), completion: .file())
    var checkpoint: String?

    @Option(
        help: ArgumentHelp(
            "The certificates, as PEM, of the authority that stamped the kept checkpoint: the stamp is FILE.tsr beside it.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var authority: String?

    @Option(
        help: ArgumentHelp(
            "Print the proof that the log has the seal of this bundle, for somebody who has the bundle and not the log.",
            valueName: "bundle"), completion: .directory)
    var seal: String?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard authority == nil || checkpoint != nil else {
            throw ValidationError("--authority needs --checkpoint")
        }
    }

    func run() throws {
        var search = BundleSearch(known: [])
        try reporting { try search.look(in: results) }
        let kept = try reporting {
            try checkpoint.map { String(decoding: try NewFile.read($0), as: UTF8.self) }
        }
        guard !search.leftOut.logged.logs.isEmpty else {
            Output.complain("there is no log in '\(printable(results))'")
            throw ExitCode.unavailable
        }
        let logs = search.leftOut.logged.logs
        if let seal { return try reporting { try print(sealOf: seal, in: logs) } }
        if let authority, let checkpoint, let kept {
            let time = try reporting {
                try TimeStamp.verified("\(checkpoint).tsr", of: checkpoint, by: authority).time
            }
            let size = logs.compactMap { $0.size(of: kept) }.first.map { " with \($0) of the entries" } ?? ""
            Output.remark("The checkpoint\(size) was stamped \(time).")
        }
        let review = LogReview(of: search.leftOut, kept)
        switch format {
        case .json: Output.say(json: review.json)
        case .text: Output.emit(.lines(review.lines.joined(separator: "\n") + "\n"))
        }
        if review.isContradicted { throw ExitCode.badData }
    }
}

extension StudyLog {
    private func print(sealOf bundle: String, in logs: [ResultsLog]) throws {
        let uuid = try Manifest(ofBundle: bundle).runUUID
        guard let proof = logs.lazy.compactMap({ $0.proofOfSeal(ofRun: uuid) }).first else {
            throw StudyFailure("no log has the seal of '\(printable(bundle))'", .badStudy)
        }
        Output.emit(.lines(proof.text))
    }
}

/// The logs of folders, beside what is there.
private struct LogReview {
    private let account: LogAccount
    /// Bundles that are not what they were, and why.
    private var damaged: [String: String]
    /// What contradicts a checkpoint that was kept, or those in bundles.
    private var contradictions: [String]
    /// Bundles that no log here has, by the name of the log that they come from.
    private var elsewhere: [String: [String]] = [:]
    /// Sealed bundles of runs that began, and of whose seals no log says anything.
    private var unsaid: [String] = []
    /// Bundles of participants that no log has.
    private var unlogged: [String] = []

    init(of leftOut: LeftOut, _ kept: String?) {
        account = leftOut.logged
        damaged = Dictionary(leftOut.damaged.map { ($0.path, $0.reason) }) { first, _ in first }
        contradictions =
            kept.map { kept in
                let problems = leftOut.logged.logs.map { $0.problem(with: kept) }
                return problems.contains(nil) ? [] : problems.compactMap(\.self)
            } ?? []
        let beginnings = Dictionary(
            account.logs.flatMap(\.entries).compactMap { entry in
                entry.flatMap { entry in
                    entry.kind == .begun ? entry.digest.map { (entry.subject, $0) } : nil
                }
            }
        ) { first, _ in first }
        for (run, path) in account.places.sorted(by: { $0.value < $1.value }) where damaged[path] == nil {
            let isSealed = !path.hasSuffix(RunningBundle.suffix)
            let proof = LogProof(inBundle: path)
            if let proof, let log = account.logs.first(where: { $0.name == proof.log }) {
                let problem = log.problem(with: proof, ofRun: run)
                contradictions += problem.map { ["\(path): \($0)"] } ?? []
            }
            guard account.state(of: run, damaged: []) != nil else {
                if let proof, account.logs.allSatisfy({ $0.name != proof.log }) {
                    elsewhere[proof.log, default: []].append(path)
                } else if RunDescription.atHand(path)?.origin.isInvented == false {
                    unlogged.append(path)
                }
                continue
            }
            do throws(FileFailure) {
                let beginning = try FolderLog.beginning(of: Folder(path))
                if let known = beginnings[run], known != beginning {
                    damaged[path] = "its journal does not begin as the log says"
                    continue
                }
                if isSealed { _ = try ResultBundle(verifying: path) }
            } catch {
                damaged[path] = error.description
                continue
            }
            if isSealed, !account.isSealed(run) { unsaid.append(path) }
        }
    }

    private var damagedPaths: Set<String> { Set(damaged.keys) }

    private func state(of entry: LogEntry) -> LogAccount.State? {
        account.state(of: entry.subject, damaged: damagedPaths)
    }

    var isContradicted: Bool {
        !contradictions.isEmpty || account.logs.contains { !$0.problems.isEmpty }
            || !account.losses(damaged: damagedPaths).isEmpty
    }

    var lines: [String] {
        var lines: [String] = []
        for log in account.logs {
            lines.append(
                "\(printable(log.results)): \(log.entries.count == 1 ? "1 entry" : "\(log.entries.count) entries")"
            )
            lines.append("verifier key: \(printable(log.verifierKey))")
            lines += log.entries.enumerated().map { "\($0.offset)  \(words(for: $0.element))" }
            lines += log.problems.map {
                "not to be trusted: \(printable($0)). Bring the folder .log back from a backup; if there is none, keep it "
                    + "elsewhere, and the next run begins another"
            }
        }
        lines += contradictions.map { "contradicts the log: \(printable($0))" }
        lines += damaged.sorted { $0.key < $1.key }.map {
            "damaged: \(printable($0.key)): \(printable($0.value))"
        }
        lines += unsaid.map { "sealed, and the log does not say so: \(printable($0))" }
        lines += elsewhere.sorted { $0.key < $1.key }.flatMap { log, paths in
            paths.map { "in another log, \(printable(log)): \(printable($0))" }
        }
        lines += unlogged.map { "not in the log: \(printable($0))" }
        let losses = account.losses(damaged: damagedPaths)
        if !losses.isEmpty {
            lines.append(
                losses.joined(separator: ", ")
                    + ". Look for them in backups and in copies of the folder; a run that is put back here is found"
            )
        }
        if !isContradicted { lines.append("Everything is as the log says.") }
        return lines
    }

    private func words(for entry: LogEntry?) -> String {
        guard let entry else { return "something that a later version of the program wrote" }
        if entry.kind == .frozen { return "frozen  the registration \(entry.subject)" }
        let state = state(of: entry)
        let place = account.places[entry.subject].map { printable($0) }
        return "\(entry.kind.rawValue)  \(place ?? "the run \(entry.subject.prefix(16))")"
            + (state == nil || state == .here ? "" : ": \(state?.rawValue ?? "")")
    }

    var json: JSON {
        [
            "log": account.json(damaged: damagedPaths), "contradictions": .texts(contradictions),
            "damaged": .list(
                damaged.sorted { $0.key < $1.key }.map { ["path": .text($0.key), "reason": .text($0.value)] }),
            "unsaid": .texts(unsaid), "unlogged": .texts(unlogged),
            "elsewhere": .members(elsewhere.mapValues { .texts($0) }),
            "logs": .list(
                account.logs.map { log in
                    [
                        "folder": .text(log.results), "verifierKey": .text(log.verifierKey),
                        "problems": .texts(log.problems), "entries": .list(log.entries.map(json)),
                    ]
                }),
        ]
    }

    private func json(_ entry: LogEntry?) -> JSON {
        guard let entry else { return .null }
        let members: [String: JSON?] = [
            "kind": .text(entry.kind.rawValue), "subject": .text(entry.subject),
            "digest": entry.digest.map { .text($0) },
            "path": account.places[entry.subject].map { .text($0) },
            "state": state(of: entry).map { .text($0.rawValue) },
        ]
        return .members(members.compactMapValues(\.self))
    }
}
