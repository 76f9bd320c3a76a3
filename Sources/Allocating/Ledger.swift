import Glibc
import Hashing
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
    let design: AllocationDesign
    /// The codes that can be allocated; `nil` if all can.
    package let codes: Set<String>?
    /// The content of the ledger when it was opened.
    package let contents: LedgerContents

    private static let secretName = "secret"
    private static let fileName = "ledger.jsonl"
    private static let listName = "list.csv"
    private static let blocksName = "blocks"
    private static let codesName = "codes"

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
    ///   - codes: the codes that can be allocated, one in a line; `nil` if all can.
    ///   - time: the time, as text.
    package static func create(
        at path: String, for design: AllocationDesign, secret: [UInt8], sealed: [UInt8]? = nil,
        codes: [UInt8]? = nil, time: String
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
            if let codes { try folder.write(codes, to: codesName, isDurable: true) }
            try folder.write(
                LedgerContents.firstLine(design, codes: codes, time), to: fileName, isDurable: true)
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
        let listedCodes: [UInt8]?
        do throws(FileFailure) {
            let folder = try Folder(path)
            secret = Self.bytes(ofHexadecimal: try folder.read(Self.secretName))
            contents = try LedgerContents(
                parsing: folder.read(Self.fileName), path: "\(path)/\(Self.fileName)")
            let name = Self.sealedName(of: contents.design)
            sealed = if let name { try folder.read(name) } else { nil }
            listedCodes = if contents.codesSum != nil { try folder.read(Self.codesName) } else { nil }
        } catch {
            throw LedgerFailure(error)
        }
        guard listedCodes.map(SHA256.hexadecimal(of:)) == contents.codesSum else {
            throw LedgerFailure(
                "'\(path)/\(Self.codesName)' is not the list of codes with which the ledger was made",
                .damaged)
        }
        codes = listedCodes.map { Set(Self.codes(in: $0)) }
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
        guard contents.design.isSame(as: design) else {
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
    /// - Parameters:
    ///   - name: who asks, for the line of a new slot.
    ///   - room: the name of the room that asks, where a monitor keeps the ledger.
    /// - Returns: the slot, which is on disk.
    package func assign(
        _ participant: String, _ levels: [String], at time: String, by name: String? = nil,
        room: String? = nil
    ) throws(LedgerFailure) -> LedgerContents.Slot {
        try change { contents throws(LedgerFailure) in
            if let known = contents.slot(of: participant) { return (known, nil) }
            try refuse(participant, in: contents)
            var course = try course(after: contents)
            try admit(levels: levels)
            if let room { try admit(room: room, in: contents, at: time) }
            guard let arm = course.next(levels) else { throw .usedUp(for: levels) }
            let slot = LedgerContents.Slot(
                number: contents.slots.count + 1, participant: participant, levels: levels, arm: arm,
                time: time, askedBy: room ?? name, isByMonitor: room != nil)
            return (slot, slot.members)
        }
    }

    /// Records how a participant's run ended, unless the ledger says that already or cannot know.
    ///
    /// - Parameters:
    ///   - name: who says so, if the run's program does not.
    ///   - reason: why; given with `name`.
    /// - Throws: if somebody says so of a participant who was not allocated.
    package func end(
        _ participant: String, completed isComplete: Bool, by name: String? = nil,
        because reason: String? = nil,
        at time: String
    ) throws(LedgerFailure) {
        try change { contents throws(LedgerFailure) in
            guard contents.slot(of: participant) != nil else {
                if name == nil { return ((), nil) }
                throw .notAllocated(participant)
            }
            let last = contents.endings.last { $0.participant == participant }
            guard contents.version > 1, last?.isComplete != isComplete else { return ((), nil) }
            var members: [String: JSON] = [
                "completed": .boolean(isComplete), "ended": .text(participant), "time": .text(time),
            ]
            members["by"] = name.map { .text($0) }
            members["reason"] = reason.map { .text($0) }
            return ((), members)
        }
    }

    /// Mixes public chance with the secret.
    ///
    /// - Throws: if the study asks for none, if the ledger has some already, or if somebody was allocated.
    package func mix(_ value: String, by name: String, at time: String) throws(LedgerFailure) {
        try change { contents throws(LedgerFailure) in
            guard design.allocation.publicChance != nil else {
                throw LedgerFailure(
                    "the study asks for no public chance: it has no key 'publicChance'", .usage)
            }
            guard contents.chance == nil else {
                throw LedgerFailure("the ledger has its public chance, and cannot have another one", .usage)
            }
            return ((), ["by": .text(name), "chance": .text(value), "time": .text(time)])
        }
    }

    /// Records that somebody was told a participant's arm.
    ///
    /// - Throws: if the participant has none.
    package func unblind(
        _ participant: String, by name: String, because reason: String, at time: String
    ) throws(LedgerFailure) -> LedgerContents.Slot {
        try change { contents throws(LedgerFailure) in
            guard let slot = contents.slot(of: participant) else { throw .notAllocated(participant) }
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
            guard let slot = contents.slot(of: participant) else { throw .notAllocated(participant) }
            let before = contents.correctedLevels(of: participant) ?? slot.levels
            var members: [String: JSON] = [
                "by": .text(name), "reason": .text(reason), "time": .text(time),
            ]
            if let levels {
                let new = try levels(before)
                try admit(levels: new)
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
        var course = course(contents)
        var derived: [DerivedSlot] = []
        contents.follow(&course) { slot, course in derived.append((slot, course.next(slot.levels))) }
        return derived
    }

    /// The course from its beginning. Its key is the secret, or its SHA-256 together with the public chance.
    private func course(_ contents: LedgerContents) -> AllocationCourse {
        let key = contents.chance.map { SHA256.digest(of: secret + Array($0.value.utf8)) } ?? secret
        return AllocationCourse(design, secret: key, list: list)
    }

    /// The course after everything that the ledger has.
    ///
    /// - Throws: if nobody has a place left.
    func course(after contents: LedgerContents) throws(LedgerFailure) -> AllocationCourse {
        var course = course(contents)
        contents.follow(&course) { _, _ in }
        guard !course.isFull else { throw .full }
        guard contents.slots.count < list?.count ?? .max else { throw .usedUp() }
        return course
    }

    /// The codes of a list, which has one in each line.
    package static func codes(in bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { String($0) }
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
