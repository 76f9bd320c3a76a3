package import Allocating
import NIOPosix
import Results
import StudyModel
import TextFormat

/// The ledgers from which a monitor allocates participants, one for each study.
///
/// The folders, their format and their locks are those of `entrain allocation`, which may be used on them meanwhile.
package struct Ledgers: Sendable {
    private var ledgers: [Identifier: Ledger] = [:]

    package init() {}

    /// - Throws: if a ledger cannot be used, or if two belong to one study.
    package init(folders: [String]) throws(LedgerFailure) {
        for folder in folders {
            let ledger = try Ledger(at: folder)
            try ledger.look()
            if let other = ledgers.updateValue(ledger, forKey: ledger.contents.design.study) {
                throw LedgerFailure(
                    "'\(other.path)' and '\(folder)' are ledgers of one study, '\(ledger.contents.design.study)'",
                    .usage)
            }
        }
    }

    /// The arm and the slot of a participant, which are on disk.
    ///
    /// - Parameter room: the name of the token with which a room asks.
    func assign(_ asked: AllocationRequest, for room: String, at now: Double) async throws(Refusal) -> JSON {
        let time = Self.date(now)
        return try await with(asked.design) { ledger throws(LedgerFailure) in
            let slot = try ledger.assign(asked.participant, asked.levels, at: time, room: room)
            return ["arm": .text(slot.arm.text), "slot": .integer(slot.number)]
        }
    }

    /// The study's identifier, if participants of this design can be allocated; and who was allocated for the room, and
    /// whose run has not ended.
    ///
    /// - Parameter participant: who will ask, and may be allocated already.
    func check(
        _ design: AllocationDesign, for participant: String?, room: String
    ) async throws(Refusal) -> JSON {
        try await with(design) { ledger throws(LedgerFailure) in
            let contents = try ledger.look()
            try ledger.admit(participant, in: contents)
            let open = contents.unended(in: room).map(\.participant)
            return ["study": .text(design.study.text), "open": .texts(open)]
        }
    }

    /// Takes down how a participant's run ended. Only the room for which they were allocated can say so.
    func end(_ ended: AllocationEnding, in room: String, at now: Double) async throws(Refusal) -> JSON {
        let time = Self.date(now)
        return try await with(ended.design) { ledger throws(LedgerFailure) in
            guard try ledger.look().slot(of: ended.participant).map({ $0.askedBy == room }) ?? true else {
                throw LedgerFailure("'\(ended.participant)' was allocated for another room", .usage)
            }
            try ledger.end(ended.participant, completed: ended.isComplete, at: time)
            return ["study": .text(ended.design.study.text)]
        }
    }

    private func with(
        _ design: AllocationDesign, _ work: @escaping @Sendable (Ledger) throws(LedgerFailure) -> JSON
    ) async throws(Refusal) -> JSON {
        guard let ledger = ledgers[design.study] else {
            throw .notFound(
                "there is no ledger of the study '\(design.study)' here: start the monitor with --ledger")
        }
        let result: Result<JSON, LedgerFailure>
        do {
            // Locks and syncs block, which the threads of tasks must not.
            result = try await NIOThreadPool.singleton.runIfActive {
                Result { () throws(LedgerFailure) in
                    try ledger.mustBe(of: design)
                    return try work(ledger)
                }
            }
        } catch {
            throw Refusal(.unavailable, "the monitor is stopping")
        }
        do throws(LedgerFailure) { return try result.get() } catch {
            switch error.kind {
            case .usage, .damaged: throw Refusal(.conflict, error.description)
            case .tooMany: throw Refusal(.tooMany, error.description)
            case .unreachable, .disk: throw Refusal(.unavailable, error.description)
            }
        }
    }

    /// A moment in seconds since 1970, as ledgers write it, in UTC.
    private static func date(_ now: Double) -> String {
        WallClock(seconds: Int64(now), nanoseconds: 0, utcOffset: 0, zone: "UTC").date(of: .start)
    }
}
