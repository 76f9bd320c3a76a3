import Hashing
package import Platform
import TextFormat

/// That a store has a sealed bundle, with each file as its sum says.
///
/// Who says so signs it. Receipts lie beside the bundles, in the folder `.receipts`, a file for each bundle and store: the
/// store's address, the key that verifies the note, an empty line, and the note.
package struct DeliveryReceipt: Hashable, Sendable {
    /// A receipt as it comes from a store: what verifies it, and the note.
    package struct Signed: Hashable, Sendable {
        package var key: String
        package var note: String

        package init(key: String, note: String) { (self.key, self.note) = (key, note) }
    }

    /// A receipt that lies beside a bundle.
    package struct Filed: Hashable, Sendable {
        /// The store's address.
        package var store: String
        /// What verifies its notes.
        package var key: String
        /// `nil` if the key did not sign it, or if it is of another run.
        package var receipt: DeliveryReceipt?
    }

    private static let folderName = ".receipts"
    private static let heading = "entrain receipt"

    /// The run's upper-case UUID.
    package let run: String
    /// The SHA-256 of the bundle's `SHA256SUMS`.
    package let sums: String
    /// When it was signed, such as `2026-11-30T16:04:05Z`.
    package let time: String

    package init(run: String, sums: String, secondsSince1970: Int) {
        (self.run, self.sums) = (run, sums)
        let (day, second) = CivilDate.split(secondsSince1970)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }
        time = "\(CivilDate(daysSince1970: day).text)T\(clock.joined(separator: ":"))Z"
    }

    /// - Returns: `nil` if the key did not sign this note, or if it is no receipt.
    package init?(_ note: String, by key: LogKey) {
        let lines = key.text(of: note)?.split(separator: "\n").map(String.init) ?? []
        guard lines.count == 4, lines[0] == Self.heading else { return nil }
        (run, sums, time) = (lines[1], lines[2], lines[3])
    }

    /// - Returns: `nil` if the key cannot sign.
    package func signed(by key: LogKey) -> Signed? {
        key.note("\(Self.heading)\n\(run)\n\(sums)\n\(time)\n").map {
            Signed(key: key.verifierText, note: $0)
        }
    }

    // MARK: Beside the bundles

    /// Puts a receipt beside its bundle.
    ///
    /// - Parameters:
    ///   - store: the address of who signed.
    ///   - bundle: where the bundle is.
    /// - Returns: whether the store signed with another key before.
    /// - Throws: `FileFailure`, also if it is not signed as it says.
    package static func file(
        _ signed: Signed, of run: String, from store: String, beside bundle: String
    ) throws(FileFailure) -> Bool {
        let home = try Folder("\(bundle)/..")
        guard LogKey(verifierText: signed.key).flatMap({ DeliveryReceipt(signed.note, by: $0) })?.run == run
        else {
            throw FileFailure("read the receipt of", run, .malformed("it is not signed as it says"))
        }
        try home.makeFolderIfMissing(folderName)
        let folder = try home.folder(folderName)
        try folder.waitForLock()
        defer { withExtendedLifetime(folder) {} }
        let own = name(of: run, from: store)
        let suffix = own.dropFirst(run.utf8.count)
        let known = try folder.names(in: ".").first { $0.hasSuffix(suffix) }
        let before = try known.flatMap { name throws(FileFailure) in try filed(name, in: folder) }
        try folder.store(Array("\(store)\n\(signed.key)\n\n\(signed.note)".utf8), at: own)
        return before.map { $0.key != signed.key } ?? false
    }

    /// Whether receipts lie in the folder at a path.
    package static func isFolder(_ path: String) -> Bool {
        path == folderName || path.hasSuffix("/" + folderName)
    }

    /// Whether a store gave a receipt for a run.
    package static func isFiled(_ run: String, from store: String, beside bundle: String) -> Bool {
        do throws(FileFailure) {
            return try Folder("\(bundle)/..").exists("\(folderName)/\(name(of: run, from: store))")
        } catch {
            return false
        }
    }

    /// The receipts in the folder beside a bundle, by their runs, each in the order of the files' names.
    package static func filed(beside bundle: String) throws(FileFailure) -> [String: [Filed]] {
        let home = try Folder("\(bundle)/..")
        guard home.exists(folderName) else { return [:] }
        let folder = try home.folder(folderName, named: "\(bundle)/../\(folderName)")
        var found: [String: [Filed]] = [:]
        for file in try folder.names(in: ".").sorted() where !file.hasSuffix(Folder.temporarySuffix) {
            let run = String(file.prefix { $0 != "." })
            let filed: Filed?
            do throws(FileFailure) { filed = try Self.filed(file, in: folder) } catch { filed = nil }
            var own = filed ?? Filed(store: file, key: "", receipt: nil)
            if own.receipt?.run != run { own.receipt = nil }
            found[run, default: []].append(own)
        }
        return found
    }

    /// - Returns: `nil` if the file is none of these.
    private static func filed(_ file: String, in folder: Folder) throws(FileFailure) -> Filed? {
        guard folder.isRegularFile(file), folder.size(of: file) ?? 0 < 65_536 else { return nil }
        let lines = String(decoding: try folder.read(file), as: UTF8.self).split(
            separator: "\n", maxSplits: 3, omittingEmptySubsequences: false
        ).map(String.init)
        guard lines.count == 4, lines[2].isEmpty, !lines[0].isEmpty else { return nil }
        let receipt = LogKey(verifierText: lines[1]).flatMap { DeliveryReceipt(lines[3], by: $0) }
        return Filed(store: lines[0], key: lines[1], receipt: receipt)
    }

    private static func name(of run: String, from store: String) -> String {
        "\(run).\(SHA256.hexadecimal(of: store).prefix(16))"
    }
}
