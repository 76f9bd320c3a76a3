import Datasets
import Deidentifying
package import Platform
import Results
import TransparencyLog

extension Withdrawal {
    /// What was done.
    package struct Done: Sendable {
        package var bundles = 0
        package var rows = 0
        package var spools = 0
        /// Datasets in which the participant cannot be found without the dataset's key.
        package var unsearched: [String] = []
        /// Files that this program does not know and that still name the participant or one of their runs.
        package var left: [String] = []
        /// Journals of others who took part at once with the participant. They hold what the participant answered.
        package var beside: [String] = []
    }

    /// Leaves the participant out from now on, or destroys their data.
    ///
    /// First a record is written that the participant has withdrawn, so nothing uses their results from then on. If
    /// the program is killed, the same call continues where it stopped.
    ///
    /// - Parameter name: the name under which the participant is counted from now on, unless a record has one
    ///   already.
    /// - Throws: `FileFailure` if a run of the participant is in progress, or if the disk fails.
    package mutating func perform(countingAs name: String) throws(FileFailure) -> Done {
        // No run can begin in the meantime, because a run that begins takes the same lock.
        for root in roots where !datasets.contains(where: { $0.name == root.path }) {
            try root.folder.waitForLock()
        }
        try lookForRunsThatGoOn()
        let name = try knownName ?? name
        for root in roots.indices {
            let next = erases ? try Register(below: roots[root].path).nextCode() : nil
            for code in codesToRecord(in: root) {
                try record(code, as: name, next: next, in: roots[root].folder)
            }
        }
        // A run may have begun deeper down before. From now on none can begin.
        try lookForRunsThatGoOn()
        var done = Done()
        for dataset in datasets {
            guard let code = dataset.code else {
                done.unsearched.append(dataset.name)
                continue
            }
            let folder = try Folder(dataset.name)
            try record(code, as: name, next: nil, in: folder)
            var writer = try DatasetWriter(dataset.name)
            done.rows += try writer.remove(participant: code)
            if erases { try end(in: folder) }
        }
        // The bundle contains everything that is in a spool.
        for spool in spools {
            try roots[spool.root].folder.remove(spool.path)
            done.spools += 1
        }
        guard erases else { return done }
        for bundle in bundles {
            try destroy(bundle)
            done.bundles += 1
        }
        for place in leftOvers { try empty(place) }
        for receipt in receipts { try roots[receipt.root].folder.remove(receipt.path) }
        for root in roots { try end(in: root.folder) }
        var rest: [String] = []
        for root in roots.indices { rest += try findRest(below: root) }
        for path in rest {
            if isJournalBeside(path) {
                done.beside.append(path)
            } else {
                done.left.append(path)
            }
        }
        return done
    }

    /// Whether a path is the journal of the participant's companion.
    private func isJournalBeside(_ path: String) -> Bool {
        let name = "/journal.jsonl"
        guard path.hasSuffix(name),
            let first = JournalHeader.atHand(String(path.dropLast(name.count)))?.drawnFor
        else { return false }
        return codes.contains(first)
    }

    private mutating func lookForRunsThatGoOn() throws(FileFailure) {
        try look()
        if let path = inProgress.first { throw FileFailure("withdraw", path, .inUse) }
    }

    /// The participant's code; none where only pseudonyms are used.
    private func codesToRecord(in root: Int) -> Set<String> {
        let found = Set(bundles.filter { $0.root == root }.map(\.code))
        guard found.isEmpty else { return found }
        let below = datasets.filter { $0.root == root }
        return below.contains(where: \.isPseudonymised) || below.contains { $0.name == roots[root].path }
            ? [] : [participant]
    }

    /// - Parameter next: the code that is free there; `nil` where nobody gets a code.
    private func record(
        _ code: String, as name: String, next: String?, in folder: Folder
    ) throws(FileFailure) {
        var record = try Withdrawals(in: folder)
        let before = record
        if erases { record.beginErasing(code, as: name, next: next) } else { record.mark(code, as: name) }
        if record != before { try record.write(to: folder) }
    }

    private func end(in folder: Folder) throws(FileFailure) {
        var record = try Withdrawals(in: folder)
        let before = record
        for code in codes { record.endErasing(code) }
        if record != before { try record.write(to: folder) }
    }

    /// First the folder gets a name that nobody takes for a bundle, and then it is removed with everything in it.
    private func destroy(_ bundle: Place) throws(FileFailure) {
        let folder = roots[bundle.root].folder
        var place = bundle
        place.path += Self.suffix
        try folder.renameFolder(bundle.path, toNew: place.path)
        try sync(above: place)
        try empty(place)
    }

    private func empty(_ place: Place) throws(FileFailure) {
        try roots[place.root].folder.removeAll(place.path)
        try sync(above: place)
    }

    private func sync(above place: Place) throws(FileFailure) {
        let folder = roots[place.root].folder
        guard let slash = place.path.lastIndex(of: "/") else { return try folder.sync() }
        try folder.sync(String(place.path[..<slash]))
    }

    /// Every file and folder that names the participant or one of the runs.
    private func findRest(below root: Int) throws(FileFailure) -> [String] {
        let folder = roots[root].folder
        var found: [String] = []
        // A log holds hashes, in whose digits a short code may well be found.
        for path in try folder.files(below: "").sorted() where !ResultsLog.holds(path) {
            var isFound = holdsCode(Array(path.utf8))
            if !isFound, folder.isRegularFile(path) { isFound = holdsCode(try folder.read(path)) }
            if isFound { found.append("\(roots[root].path)/\(path)") }
        }
        return found
    }

    /// Whether the bytes contain a code, or the name of a run, as a separate word.
    func holdsCode(_ bytes: [UInt8]) -> Bool {
        let hidden = pseudonyms.map { pseudonyms in runs.map { pseudonyms.uuid(of: $0) } } ?? []
        return (codes + runs + hidden).contains { Self.holds(bytes, Array($0.utf8)) }
    }

    private static func holds(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first, bytes.count >= word.count else { return false }
        let isInWord = { (place: Int) in bytes.indices.contains(place) && isLetter(bytes[place]) }
        var place = bytes.startIndex
        while let start = bytes[place...].firstIndex(of: first), start + word.count <= bytes.count {
            if bytes[start..<start + word.count].elementsEqual(word), !isInWord(start - 1),
                !isInWord(start + word.count)
            {
                return true
            }
            place = start + 1
        }
        return false
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: false
        }
    }
}
