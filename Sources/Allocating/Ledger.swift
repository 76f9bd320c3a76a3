import Glibc
import Platform
package import StudyModel
import TextFormat

/// The list of a study's allocations, in a folder with its secret. It has one line for each slot, which contains
/// the checksum of the line before, and which is on disk before anybody learns the arm.
package struct Ledger: Sendable {
    /// The folder, as given.
    package let path: String
    private let secret: [UInt8]
    /// The slots, if the design's method is a list.
    package let list: AllocationList?
    /// The design with everything that decides about arms, such as sizes of blocks that the study hides.
    private let design: AllocationDesign
    /// The content of the ledger when it was opened.
    package let contents: LedgerContents

    private static let secretName = "secret"
    private static let fileName = "ledger.jsonl"
    private static let listName = "list.csv"
    private static let blocksName = "blocks"

    /// Hidden sizes of blocks as the file has them.
    package static func text(of sizes: [Int]) -> [UInt8] {
        Array((sizes.map { "\($0)" }.joined(separator: " ") + "\n").utf8)
    }

    /// The remark about a ledger whose last line is incomplete.
    package static let tornRemark =
        "The ledger's last line was cut off when a program was killed: nobody was told of it, and the next allocation replaces it."

    /// Makes the folder of a ledger, with its secret but without any slot.
    ///
    /// - Parameters:
    ///   - design: with the commitment to the secret and what is sealed with it.
    ///   - sealed: the bytes of the list, or of the hidden sizes of blocks.
    ///   - time: the time, as text.
    package static func create(
        at path: String, for design: AllocationDesign, secret: [UInt8], sealed: [UInt8]? = nil, time: String
    ) throws(LedgerFailure) {
        guard unsafe faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw LedgerFailure("cannot make '\(path)': it exists already", .usage)
        }
        do throws(FileFailure) {
            try Folder.make(path)
        } catch {
            throw LedgerFailure(error)
        }
        try NetworkFileSystem.refuse(path)
        do throws(FileFailure) {
            let folder = try Folder(path)
            try folder.write(Array((hexadecimal(secret) + "\n").utf8), to: secretName, isDurable: true)
            if let sealed, let name = sealedName(of: design) {
                try folder.write(sealed, to: name, isDurable: true)
            }
            try folder.write(LedgerContents.firstLine(design, time), to: fileName, isDurable: true)
            try folder.sync()
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// Refuses a secret that others on the machine can read: whoever reads it knows the next arm.
    private static func refuseReadable(_ path: String) throws(LedgerFailure) {
        guard isOpenToOthers(path), isOpenToOthers("\(path)/\(secretName)") else { return }
        throw LedgerFailure(
            "others can read the secret in '\(path)', and whoever does knows the next arm. Say 'chmod 700' of the folder and 'chmod 600' of its files; if somebody may have read it, reveal it and go on with another",
            .damaged)
    }

    /// The file that decides about arms with the secret; `nil` if there is none.
    private static func sealedName(of design: AllocationDesign) -> String? {
        guard design.allocation.isSealed else { return nil }
        return design.allocation.method == .list ? listName : blocksName
    }

    /// Opens a ledger and reads it.
    ///
    /// - Throws: if it cannot be reached, lies on a network, or has been changed.
    package init(at path: String) throws(LedgerFailure) {
        self.path = path
        try NetworkFileSystem.refuse(path)
        try Self.refuseReadable(path)
        let sealed: [UInt8]?
        do throws(FileFailure) {
            let folder = try Folder(path)
            secret = Self.bytes(ofHexadecimal: try folder.read(Self.secretName))
            contents = try LedgerContents(
                parsing: folder.read(Self.fileName), path: "\(path)/\(Self.fileName)")
            let name = Self.sealedName(of: contents.design)
            sealed = if let name { try folder.read(name) } else { nil }
        } catch {
            throw LedgerFailure(error)
        }
        guard
            AllocationDesign.commitment(to: secret, sealed: sealed ?? [])
                == contents.design.allocation.commitment
        else {
            let other =
                contents.design.allocation.method == .list ? " or the list" : " or the sizes of blocks"
            throw LedgerFailure(
                "the secret\(sealed == nil ? "" : other) in '\(path)' is not the one with which the ledger was made",
                .damaged)
        }
        guard let sealed else {
            (list, design) = (nil, contents.design)
            return
        }
        guard contents.design.allocation.method == .list else {
            let sizes = String(decoding: sealed, as: UTF8.self).split { $0.isWhitespace }.compactMap {
                Int($0)
            }
            guard let dealing = contents.design.dealing(sizes) else {
                throw LedgerFailure("'\(path)/\(Self.blocksName)' holds no sizes of blocks", .damaged)
            }
            (list, design) = (nil, dealing)
            return
        }
        design = contents.design
        list = try AllocationList(sealed, from: "\(path)/\(Self.listName)", for: contents.design)
    }

    /// The sizes of blocks that the study hides; empty if it hides none.
    package var hiddenSizes: [Int] {
        guard contents.design != design, case .blocks(let sizes) = design.allocation.method else { return [] }
        return sizes
    }

    /// Whether the last line is incomplete.
    package var isTorn: Bool { contents.isTorn }

    /// - Throws: if the ledger belongs to another study, design or secret.
    package func mustBe(of design: AllocationDesign) throws(LedgerFailure) {
        guard contents.design.allocation.commitment == design.allocation.commitment else {
            throw LedgerFailure(
                "the ledger '\(path)' has another secret than the study names. Is it the right folder?",
                .damaged)
        }
        guard contents.design == design else {
            throw LedgerFailure(
                "the study's arms or allocation were changed since the ledger '\(path)' was made. "
                    + (contents.slots.isEmpty
                        ? "Make a new ledger with 'entrain allocation create'"
                        : "Undo the change: \(counted(contents.slots.count, "participant")) have their arms already"),
                .damaged)
        }
    }

    /// Reads the ledger as it is now, after it has been locked and opened for writing as for an allocation.
    @discardableResult
    package func look() throws(LedgerFailure) -> LedgerContents { try change { ($0, nil) } }

    /// Gives a participant the next slot, or returns the one that they have.
    ///
    /// - Parameter name: who asks, for the line of a new slot.
    /// - Returns: the slot, which is on disk.
    package func assign(
        _ participant: String, _ levels: [String], at time: String, by name: String? = nil
    ) throws(LedgerFailure) -> LedgerContents.Slot {
        try change { contents throws(LedgerFailure) in
            if let known = contents.slots.first(where: { $0.participant == participant }) {
                return (known, nil)
            }
            guard contents.revealed == nil else { throw .revealed }
            var course = AllocationCourse(design, secret: secret, list: list)
            contents.follow(&course) { _, _ in }
            guard let arm = course.next(levels) else {
                throw .usedUp(for: contents.slots.count == list?.count ? [] : levels)
            }
            let slot = LedgerContents.Slot(
                number: contents.slots.count + 1, participant: participant, levels: levels, arm: arm,
                time: time, askedBy: name)
            return (slot, slot.members)
        }
    }

    /// Which participants, by their answers, have no slot of the list left, as the ledger is now.
    ///
    /// - Parameter participant: who is about to be allocated, if that is known.
    /// - Throws: if nobody has a slot left, and the participant was not allocated already.
    package func usedUpStrata(
        for participant: String?, in contents: LedgerContents
    ) throws(LedgerFailure) -> [String] {
        guard let list, !contents.slots.contains(where: { $0.participant == participant }) else { return [] }
        guard contents.slots.count < list.count else { throw .usedUp() }
        let taken = Dictionary(grouping: contents.slots, by: \.levels).mapValues(\.count)
        return list.strata.filter { taken[$0.levels, default: 0] >= $0.slots }
            .map { AllocationList.words(for: $0.levels) }
    }

    /// Records that somebody was told a participant's arm.
    ///
    /// - Throws: if the participant has none.
    package func unblind(
        _ participant: String, by name: String, because reason: String, at time: String
    ) throws(LedgerFailure) -> LedgerContents.Slot {
        try change { contents throws(LedgerFailure) in
            guard let slot = contents.slots.first(where: { $0.participant == participant }) else {
                throw LedgerFailure("participant '\(participant)' was not allocated", .usage)
            }
            return (
                slot,
                [
                    "by": .text(name), "reason": .text(reason), "time": .text(time),
                    "unblinded": .text(participant),
                ]
            )
        }
    }

    /// Records that a participant's answers were other ones, or that they should not have been allocated. What the ledger
    /// said before stays.
    ///
    /// - Parameter levels: gives the right answers to the factors, from those that are known; `nil` if the participant was
    ///   allocated in error.
    /// - Returns: the slot, and the answers that were known before.
    /// - Throws: if the participant was not allocated, or if nothing would be changed.
    package func correct(
        _ participant: String, by name: String, because reason: String, at time: String,
        levels: (([String]) throws(LedgerFailure) -> [String])?
    ) throws(LedgerFailure) -> (slot: LedgerContents.Slot, before: [String], contents: LedgerContents) {
        try change { contents throws(LedgerFailure) in
            guard let slot = contents.slots.first(where: { $0.participant == participant }) else {
                throw LedgerFailure("participant '\(participant)' was not allocated", .usage)
            }
            let before = contents.correctedLevels(of: participant) ?? slot.levels
            var members: [String: JSON] = [
                "by": .text(name), "reason": .text(reason), "time": .text(time),
            ]
            if let levels {
                let new = try levels(before)
                guard new != before else {
                    throw LedgerFailure("the ledger says that of '\(participant)' already", .usage)
                }
                members["corrected"] = .text(participant)
                members["levels"] = .texts(new)
            } else {
                guard !contents.allocatedInError.contains(participant) else {
                    throw LedgerFailure("the ledger says that of '\(participant)' already", .usage)
                }
                members["allocatedInError"] = .text(participant)
            }
            return ((slot, before, contents), members)
        }
    }

    /// Ends the allocation: records that its secret is public from now on, and derives every slot again.
    ///
    /// - Returns: the slots with the arms that follow from the secret, and the secret in hexadecimal digits.
    package func reveal(at time: String) throws(LedgerFailure) -> (slots: [DerivedSlot], secret: String) {
        let contents = try change { contents throws(LedgerFailure) in
            (contents, contents.revealed == nil ? ["revealed": true, "time": .text(time)] : nil)
        }
        return (derive(contents), hexadecimal(secret))
    }

    /// A slot, with the arm that follows from the secret; `nil` if the list has none for it.
    package typealias DerivedSlot = (slot: LedgerContents.Slot, derived: Identifier?)

    /// The slots that the ledger had when it was opened, with the arms that follow from the secret.
    package var derived: [DerivedSlot] { derive(contents) }

    private func derive(_ contents: LedgerContents) -> [DerivedSlot] {
        var course = AllocationCourse(design, secret: secret, list: list)
        var derived: [DerivedSlot] = []
        contents.follow(&course) { slot, course in derived.append((slot, course.next(slot.levels))) }
        return derived
    }

    /// Appends a line while nobody else can. When this returns, the line is on disk.
    private func change<Value>(
        _ work: (LedgerContents) throws(LedgerFailure) -> (Value, [String: JSON]?)
    ) throws(LedgerFailure) -> Value {
        let folder: Folder
        var file: AppendedFile
        let contents: LedgerContents
        try NetworkFileSystem.refuse(path)
        do throws(FileFailure) {
            folder = try Folder(path)
            try folder.waitForLock()
            file = try AppendedFile(reopening: Self.fileName, in: folder, isLocked: false)
            contents = try LedgerContents(parsing: file.read(), path: "\(path)/\(Self.fileName)")
        } catch {
            throw LedgerFailure(error)
        }
        // A program that runs for long may have opened another ledger than the one that lies there now.
        guard contents.design == self.contents.design else {
            throw LedgerFailure(
                "the ledger '\(path)' was replaced by another one since this program opened it", .damaged)
        }
        // The lock ends with the folder.
        defer { withExtendedLifetime(folder) {} }
        let (value, members) = try work(contents)
        guard let members else { return value }
        do throws(FileFailure) {
            try file.truncate(to: contents.goodBytes)
            try file.append(contents.line(members))
            try file.sync()
        } catch {
            throw LedgerFailure(error)
        }
        return value
    }

    private static func bytes(ofHexadecimal text: [UInt8]) -> [UInt8] {
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension LedgerContents {
    /// Goes through all slots, and through the corrections between them.
    ///
    /// - Parameter each: looks at the course before a slot is recorded in it.
    fileprivate func follow(_ course: inout AllocationCourse, _ each: (Slot, inout AllocationCourse) -> Void)
    {
        var left = corrections[...]
        var known: [String: Slot] = [:]
        func correct(before place: Int) {
            while let correction = left.first, correction.place < place {
                left = left.dropFirst()
                guard let levels = correction.levels, var slot = known[correction.participant] else {
                    continue
                }
                course.correct(from: slot.levels, to: levels, in: slot.arm)
                slot.levels = levels
                known[correction.participant] = slot
            }
        }
        for slot in slots {
            correct(before: slot.number)
            each(slot, &course)
            course.record(slot.levels, in: slot.arm)
            known[slot.participant] = slot
        }
        correct(before: .max)
    }
}
