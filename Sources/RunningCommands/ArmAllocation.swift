import Allocating
import ArgumentParser
import BundleReplay
import Console
import Datasets
import Deidentifying
import MonitorClient
import Participants
import Platform
import ResultCommands
import Results
import StudyModel
import StudySession
import TextFormat
import TransparencyLog

/// Where a run gets its arm from, in a study that allocates its arms.
struct ArmAllocation {
    let study: Study
    /// As given.
    let ledger: LedgerPlace?
    let tokens: TokenOptions
    /// Whether the person has said that they were allocated before, in a run that is not here.
    var isSamePerson = false
    /// Who runs the session, if the command line says so.
    var experimenter: String?
    /// Whether an earlier part of the run got the arm.
    var isKnown = false

    /// - Returns: `nil` if the run allocates nothing.
    private func design() throws(StudyFailure) -> AllocationDesign? {
        if let design = AllocationDesign(of: study), study.arm == nil { return design }
        guard ledger == nil else {
            throw StudyFailure("this run allocates no arm: leave --ledger out", .usage)
        }
        return nil
    }

    /// Who has a place in a ledger, which a code cannot be given to again; nobody where a monitor keeps it.
    static func participants(of ledger: LedgerPlace?) throws(LedgerFailure) -> Set<String> {
        guard case .folder(let path) = ledger else { return [] }
        return Set(try Ledger(at: path).contents.slots.map(\.participant))
    }

    /// - Parameter output: the folder of the runs.
    /// - Returns: `nil` if the run allocates nothing.
    /// - Throws: if there is no ledger, or if it belongs to another study. The run has not begun then.
    func source(for run: RunDescription, in output: String) async throws -> RunArmSource? {
        guard !isKnown, let design = try design() else { return nil }
        guard !run.origin.isInvented else {
            if ledger != nil {
                Output.remark("A run with invented data takes no place in the ledger: its arm is rehearsed.")
            }
            if design.allocation.isSealed { Output.remark("\(RehearsedAllocation.sealedRemark)") }
            return (RehearsedAllocation(of: study, naming: run.participant)?.armSource).map(
                RunArmSource.local)
        }
        switch try place(of: design) {
        case .folder(let path):
            return try source(in: path, of: design, for: run.participant, output).logged(
                run.runUUID, in: output)
        case .monitor(let url):
            return try await source(at: url, of: design, for: run.participant, output).logged(
                run.runUUID, in: output)
        }
    }

    /// What `entrain ready` says about the ledger.
    ///
    /// - Returns: the words, and whether a person should look at something; `nil` if the run allocates nothing.
    /// - Throws: if nobody can be allocated.
    func readiness() async throws -> (words: String, isRemarkable: Bool)? {
        guard let design = try design() else { return nil }
        switch try place(of: design) {
        case .folder(let path):
            let opened = try Ledger(at: path)
            try opened.mustBe(of: design)
            let contents = try opened.look()
            let usedUp = try opened.admit(nil, in: contents)
            let words = "\(path): whole, \(counted(contents.slots.count, "participant")) allocated"
            let remarks = [
                contents.isTorn ? Ledger.tornRemark : nil,
                Self.remark(on: usedUp),
            ].compactMap(\.self)
            return (([words] + remarks).joined(separator: ". "), !remarks.isEmpty)
        case .monitor(let url):
            let (_, answer) = try await ask(url, about: design)
            if case .away(let reason) = answer { throw StudyFailure(reason, .missing) }
            return ("\(url) answers, takes the token, and has the ledger of this study", false)
        }
    }

    private func place(of design: AllocationDesign) throws(StudyFailure) -> LedgerPlace {
        guard let ledger else {
            throw StudyFailure(
                "the study allocates its arms: name the folder of its ledger, or the URL of the monitor that keeps it, with --ledger",
                .usage)
        }
        guard design.allocation.commitment != nil else {
            throw StudyFailure(
                "the study does not name the secret of its allocation: add the line that 'entrain allocation create' printed",
                .badStudy)
        }
        return ledger
    }

    /// - Returns: `nil` if every stratum has slots left.
    private static func remark(on usedUp: [String]) -> String? {
        usedUp.isEmpty
            ? nil
            : "The list has no slot left for participants with \(printable(listed(usedUp, last: "or")))"
    }

    /// Somebody may have got the code of a person who was allocated, and whose runs were erased or are elsewhere.
    private func confirm(_ slot: LedgerContents.Slot, in output: String) throws {
        let isKnown = try Register(in: output).runs.contains {
            $0.run.participant == slot.participant && !$0.run.origin.isInvented
        }
        guard !isKnown, !isSamePerson else { return }
        let words =
            "\(printable(slot.participant)) was allocated on \(slot.time.prefix(10)), and has no run in the output folder"
        guard ParticipantCode.isAskable else {
            throw StudyFailure(
                "\(words): give another person another --participant; for the same person, add --same-person",
                .usage)
        }
        guard Output.ask("\(words). Is this the same person? [y/N] ")?.lowercased() == "y" else {
            throw StudyFailure("nothing was begun: give this person another --participant", .usage)
        }
    }

    private func source(
        in path: String, of design: AllocationDesign, for participant: String, _ output: String
    ) throws -> RunArmSource {
        let opened = try Ledger(at: path)
        try opened.mustBe(of: design)
        // Whoever cannot be allocated must not consent first.
        let contents = try opened.look()
        let usedUp = try opened.admit(participant, in: contents)
        if let known = contents.slot(of: participant) { try confirm(known, in: output) }
        if let remark = Self.remark(on: usedUp) { Output.remark("\(remark)") }
        if opened.isTorn { Output.remark("\(Ledger.tornRemark)") }
        let name = askedBy
        return .local { participant, levels in
            do throws(LedgerFailure) {
                let slot = try opened.assign(
                    participant, levels, at: WallClock.now().date(of: .start), by: name)
                return .allocated(slot.arm, slot: slot.number)
            } catch {
                return .notAllocated(error.description)
            }
        }
    }

    /// Who runs the session, and on which machine: `anna@lab-1`.
    private var askedBy: String {
        let person = experimenter ?? environmentVariable("LOGNAME") ?? environmentVariable("USER")
        return "\(person ?? "somebody")@\(machineName ?? "localhost")"
    }

    /// A monitor that is away for a moment is back, perhaps, when the arm is needed.
    private func source(
        at url: String, of design: AllocationDesign, for participant: String, _ output: String
    ) async throws -> RunArmSource {
        let (ledger, answer) = try await ask(url, about: design, for: participant)
        _ = try await settle(answer, for: participant, in: output, at: ledger)
        if case .away(let reason) = answer {
            Output.remark("\(printable(reason)). The step that needs the arm will wait for it.")
        }
        return .remote { participant, levels, tell in
            await ledger.allocate(
                participant, levels,
                settle: {
                    do {
                        return try await settle(
                            await ledger.check(for: participant), for: participant, in: output, at: ledger)
                    } catch { return false }
                }, tell: tell)
        }
    }

    /// Tells the ledger how the run of a participant ended. What a monitor does not learn now, it learns before the room's
    /// next run.
    func tell(of sealed: Sealed, _ run: RunDescription) async {
        guard let ledger, let design = AllocationDesign(of: study), !run.origin.isInvented,
            sealed.folder != nil
        else { return }
        let isComplete = sealed.reason.holdsPlace
        do {
            switch ledger {
            case .folder(let path):
                try Ledger(at: path).end(
                    run.participant, completed: isComplete, at: WallClock.now().date(of: .start))
            case .monitor(let url):
                let answer = try await monitorLedger(at: url, of: design).end(
                    run.participant, completed: isComplete)
                if case .away(let reason) = answer { throw StudyFailure(reason, .missing) }
            }
        } catch {
            Output.remark(
                "The ledger does not know yet that the run ended (\(printable("\(error)"))). The next run in this room tells a monitor of it."
            )
        }
    }

    /// Tells a monitor of runs that ended while it could not be told.
    ///
    /// - Parameter answer: names the participants who were allocated for this room, and whose run has not ended as far as the
    ///   monitor knows; `participant` may be among them.
    /// - Returns: whether there were others.
    /// - Throws: if a run has not ended.
    private func settle(
        _ answer: MonitorLedger.Answer, for participant: String, in output: String, at ledger: MonitorLedger
    ) async throws -> Bool {
        guard case .ready(var open) = answer else { return false }
        open.removeAll { $0 == participant }
        guard !open.isEmpty else { return false }
        let runs = try Register(in: output).runs.filter {
            $0.run.study == study.identifier && !$0.run.origin.isInvented
        }
        for participant in open {
            guard let status = runs.last(where: { $0.run.participant == participant })?.status else {
                throw StudyFailure(
                    "\(printable(participant)) was allocated for this room, and no run in the output folder says what became of it. "
                        + "Go on with it; or say it on the monitor's machine with 'entrain allocation end'",
                    .badStudy)
            }
            _ = await ledger.end(participant, completed: status.holdsPlace)
        }
        return true
    }

    private func monitorLedger(at url: String, of design: AllocationDesign) throws -> MonitorLedger {
        let token = try tokens.token(in: LedgerPlace.tokenVariable, for: url)
        guard let address = MonitorAddress(url, token: token) else {
            throw StudyFailure("'\(printable(url))' is not the address of a monitor", .usage)
        }
        return try MonitorLedger(at: address, of: design.json)
    }

    /// - Throws: if the monitor refuses.
    private func ask(
        _ url: String, about design: AllocationDesign, for participant: String? = nil
    ) async throws -> (MonitorLedger, MonitorLedger.Answer) {
        let ledger = try monitorLedger(at: url, of: design)
        let answer = await ledger.check(for: participant)
        guard case .refused(let reason, let status) = answer else { return (ledger, answer) }
        switch status {
        case 401, 403:
            throw StudyFailure(
                "\(reason). Put a token with the scope 'allocate' into \(LedgerPlace.tokenVariable): 'entrain token create' makes one",
                .missing)
        case 409, 422: throw StudyFailure(reason, .badStudy)
        case _: throw StudyFailure(reason, .missing)
        }
    }
}

extension RunArmSource {
    /// The same source, and the log of the output folder says when it allocates.
    fileprivate func logged(_ run: String, in output: String) -> RunArmSource {
        let log = { @Sendable (event: Event) in
            if case .allocated = event { FolderLog.append(of: .allocated, to: output, runs: [run]) }
        }
        switch self {
        case .local(let source):
            return .local { participant, levels in
                let event = source(participant, levels)
                log(event)
                return event
            }
        case .remote(let source):
            return .remote { participant, levels, tell in
                await source(participant, levels) { event in
                    log(event)
                    tell(event)
                }
            }
        }
    }
}

extension FinishReason {
    /// Whether the participant completed, or goes on another day.
    fileprivate var holdsPlace: Bool { self == .completed || self == .saved }
}

/// Where a ledger is kept.
enum LedgerPlace: ExpressibleByArgument, Hashable, Sendable {
    case folder(String)
    /// The URL of the monitor that keeps it.
    case monitor(String)

    /// The environment variable with the token that allows allocating.
    static let tokenVariable = "ENTRAIN_LEDGER_TOKEN"

    init?(argument: String) {
        guard argument.contains("://") else {
            self = .folder(argument)
            return
        }
        guard MonitorAddress(argument, token: nil) != nil else { return nil }
        self = .monitor(argument)
    }
}
