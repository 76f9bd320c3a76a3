import Hashing
package import Platform
package import StudyModel
import TextFormat

/// The content of a ledger.
package struct LedgerContents: Hashable, Sendable {
    package let design: AllocationDesign
    package private(set) var slots: [Slot] = []
    /// Who was told a participant's arm.
    package private(set) var unblindings: [Unblinding] = []
    /// What was put right about participants after their allocation, in order.
    package private(set) var corrections: [Correction] = []
    /// How participants' runs ended, in order.
    package private(set) var endings: [Ending] = []
    /// The public chance that was mixed with the secret; `nil` if there is none yet.
    package private(set) var chance: Chance?
    /// The version of its format: 2, or 1 of a ledger that an earlier program made.
    package let version: Int
    /// The lower-case hexadecimal SHA-256 of the list of codes; `nil` if any code is allocated.
    package let codesSum: String?
    /// When the secret was revealed; `nil` if it was not.
    package private(set) var revealed: String?
    /// Numbers of the lines whose time is before that of a line above them.
    package private(set) var earlierLines: [Int] = []
    /// Whether an incomplete line follows.
    package private(set) var isTorn = false
    /// The length of the complete lines, bytes.
    private(set) var goodBytes = 0
    /// The lower-case hexadecimal SHA-256 of each complete line, without its line feed.
    package private(set) var sums: [String] = []

    /// The slot of a participant.
    package struct Slot: Hashable, Sendable {
        /// From 1.
        package var number: Int
        package var participant: String
        /// The answers to the factors of the design.
        package var levels: [String]
        package var arm: Identifier
        package var time: String
        /// Who asked: a person and a machine, such as `anna@lab-1`, or the name of a room's token; `nil` in ledgers of
        /// earlier programs.
        package var askedBy: String?
        /// Whether a monitor drew the arm, so that the one who asked could not read the secret.
        package var isByMonitor = false

        var members: [String: JSON] {
            var members: [String: JSON] = [
                "arm": .text(arm.text), "levels": .texts(levels),
                "participant": .text(participant), "slot": .integer(number), "time": .text(time),
            ]
            members["askedBy"] = askedBy.map { .text($0) }
            if isByMonitor { members["byMonitor"] = true }
            return members
        }
    }

    /// A record that somebody was told an arm.
    package struct Unblinding: Hashable, Sendable {
        package var participant: String
        package var by: String
        package var reason: String
        package var time: String
    }

    /// A record that a participant's answers were other ones, or that they should not have been allocated.
    package struct Correction: Hashable, Sendable {
        package var participant: String
        /// The right answers to the factors; `nil` if the participant was allocated in error.
        package var levels: [String]?
        package var by: String
        package var reason: String
        package var time: String
        /// How many slots were taken before it.
        var place: Int
    }

    /// A record that a participant completed, or did not.
    package struct Ending: Hashable, Sendable {
        package var participant: String
        package var isComplete: Bool
        /// Who says so, and why; `nil` if the run's program does.
        package var by: String?
        package var reason: String?
        package var time: String
        /// How many slots were taken before it.
        var place: Int
    }

    /// Public chance, as it was published.
    package struct Chance: Hashable, Sendable {
        package var value: String
        package var by: String
        package var time: String
    }

    package func slot(of participant: String) -> Slot? { slots.first { $0.participant == participant } }

    /// The participants whose run has not ended as far as the ledger knows, in order. Ledgers of earlier programs do not
    /// know.
    package var unended: [Slot] {
        guard version > 1 else { return [] }
        let ended = Set(endings.map(\.participant))
        return slots.filter { !ended.contains($0.participant) }
    }

    /// Whether a participant completed; `nil` if the ledger does not know.
    package func completed(_ participant: String) -> Bool? {
        endings.last { $0.participant == participant }?.isComplete
    }

    /// Those of them who were allocated for a room by a monitor.
    package func unended(in room: String) -> [Slot] {
        unended.filter { $0.isByMonitor && $0.askedBy == room }
    }

    /// The participants who did not complete, as far as the ledger knows, in order.
    package var incomplete: [Ending] {
        let last = Dictionary(endings.map { ($0.participant, $0) }) { $1 }
        return slots.compactMap { last[$0.participant] }.filter { !$0.isComplete }
    }

    /// The answers of a participant that are right as far as is known; `nil` if they are those of the slot.
    package func correctedLevels(of participant: String) -> [String]? {
        corrections.last { $0.participant == participant && $0.levels != nil }?.levels
    }

    /// The participants who were allocated in error, in the order in which that was found.
    package var allocatedInError: [String] { corrections.filter { $0.levels == nil }.map(\.participant) }

    /// - Parameter codes: the bytes of the list of codes, if there is one.
    static func firstLine(_ design: AllocationDesign, codes: [UInt8]?, _ time: String) -> [UInt8] {
        var members: [String: JSON] = ["design": design.json, "ledger": 2, "time": .text(time)]
        members["codes"] = codes.map { .text(SHA256.hexadecimal(of: $0)) }
        return JSON.members(members).encoded() + [UInt8(ascii: "\n")]
    }

    /// The line with these members, linked to the last line.
    func line(_ members: [String: JSON]) -> [UInt8] {
        var members = members
        members["previous"] = sums.last.map { .text($0) }
        return JSON.members(members).encoded() + [UInt8(ascii: "\n")]
    }

    /// - Throws: `FileFailure` that names the first line that was changed.
    package init(parsing bytes: [UInt8], path: String) throws(FileFailure) {
        let wrong = { (number: Int, reason: String) in
            FileFailure("read", path, .malformed("line \(number) \(reason)"))
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
            Array.init)
        let rest = lines.removeLast()
        isTorn = !rest.isEmpty
        guard let first = lines.first, let head = try? JSON(parsing: first),
            let version = head.object?["ledger"]?.integer, (1...2).contains(version),
            let design = head.object?["design"].flatMap(AllocationDesign.init(json:))
        else { throw wrong(1, "is no beginning of a ledger that this program knows") }
        (self.design, self.version) = (design, version)
        codesSum = head.object?["codes"]?.text
        sums = [SHA256.hexadecimal(of: first)]
        var latest = head.object?["time"]?.text.flatMap(WallClock.seconds) ?? .min
        for (place, line) in lines.enumerated().dropFirst() {
            guard let members = (try? JSON(parsing: line))?.object else {
                throw wrong(place + 1, "was damaged: it is no JSON object")
            }
            guard members["previous"]?.text == sums.last else {
                throw wrong(
                    place + 1,
                    "does not continue the line before it: one of the two was changed, left out or added")
            }
            guard take(members) else { throw wrong(place + 1, "is no line of this ledger") }
            if let time = members["time"]?.text.flatMap(WallClock.seconds) {
                if time < latest { earlierLines.append(place + 1) }
                latest = max(latest, time)
            }
            sums.append(SHA256.hexadecimal(of: line))
        }
        goodBytes = bytes.count - rest.count
    }

    /// - Returns: whether the line is valid at this place.
    private mutating func take(_ members: JSON.Object) -> Bool {
        guard let time = members["time"]?.text else { return false }
        if let number = members["slot"]?.integer {
            guard number == slots.count + 1, revealed == nil,
                let participant = members["participant"]?.text,
                !slots.contains(where: { $0.participant == participant }),
                let arm = members["arm"]?.text.flatMap(Identifier.init),
                design.arms.contains(where: { $0.identifier == arm }),
                let levels = members["levels"]?.list?.map(\.text), !levels.contains(nil)
            else { return false }
            slots.append(
                Slot(
                    number: number, participant: participant, levels: levels.compactMap(\.self), arm: arm,
                    time: time, askedBy: members["askedBy"]?.text,
                    isByMonitor: members["byMonitor"] == true))
        } else if let participant = members["unblinded"]?.text {
            guard let by = members["by"]?.text, let reason = members["reason"]?.text else { return false }
            unblindings.append(Unblinding(participant: participant, by: by, reason: reason, time: time))
        } else if let participant = members["corrected"]?.text ?? members["allocatedInError"]?.text {
            let levels = members["levels"]?.list?.compactMap(\.text)
            guard let by = members["by"]?.text, let reason = members["reason"]?.text,
                let slot = slots.first(where: { $0.participant == participant }),
                (members["corrected"] == nil) == (levels == nil),
                levels.map({ $0.count == slot.levels.count }) ?? !allocatedInError.contains(participant)
            else { return false }
            corrections.append(
                Correction(
                    participant: participant, levels: levels, by: by, reason: reason, time: time,
                    place: slots.count))
        } else if let participant = members["ended"]?.text {
            guard version > 1, slot(of: participant) != nil, let isComplete = members["completed"]?.boolean
            else { return false }
            endings.append(
                Ending(
                    participant: participant, isComplete: isComplete, by: members["by"]?.text,
                    reason: members["reason"]?.text, time: time, place: slots.count))
        } else if let value = members["chance"]?.text {
            guard chance == nil, slots.isEmpty, design.allocation.publicChance != nil,
                let by = members["by"]?.text
            else { return false }
            chance = Chance(value: value, by: by, time: time)
        } else {
            guard members["revealed"] == true else { return false }
            revealed = time
        }
        return true
    }
}

extension LedgerFailure {
    init(_ failure: FileFailure) {
        let kind: Kind =
            switch failure.problem {
            case .malformed: .damaged
            case .inUse, .neverBegan: .unreachable
            case .exists: .usage
            case .system: failure.isNotFound ? .unreachable : .disk
            }
        self.init(failure.description, kind)
    }
}
