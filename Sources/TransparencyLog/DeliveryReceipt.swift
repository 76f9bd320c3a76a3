import Hashing
package import Platform
import TextFormat

/// That a store has a sealed bundle, with each file as its sum says.
///
/// Who says so signs it. Receipts lie beside the bundles, in the folder `.receipts`: in `keys` a line for each store, with the
/// key that it signs with, and a file for each bundle and store, with the store's address, an empty line and the note.
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
        /// `nil` if none of the store's keys signed it.
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
        let clock = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
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
        let known = try keys(in: folder)
        let others = known.filter { $0.store == store && $0.key != signed.key }
        if !known.contains(where: { $0 == (store, signed.key) }) {
            let lines = (known + [(store, signed.key)]).map { "\($0.key) \($0.store)\n" }
            try folder.store(Array(lines.joined().utf8), at: "keys")
        }
        try folder.store(Array("\(store)\n\n\(signed.note)".utf8), at: name(of: run, from: store))
        return !others.isEmpty
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

    /// The receipts of a run, in the order of the stores.
    package static func filed(of run: String, beside bundle: String) throws(FileFailure) -> [Filed] {
        let home = try Folder("\(bundle)/..")
        guard home.isFolder(folderName) else { return [] }
        let folder = try home.folder(folderName)
        let known = try keys(in: folder)
        var filed: [Filed] = []
        for store in Set(known.map(\.store)).sorted() {
            let file = name(of: run, from: store)
            guard folder.exists(file) else { continue }
            let parts = String(decoding: try folder.read(file), as: UTF8.self).split(
                separator: "\n\n", maxSplits: 1)
            let receipts = known.filter { $0.store == store }.compactMap { entry in
                LogKey(verifierText: entry.key).flatMap { DeliveryReceipt(String(parts.last ?? ""), by: $0) }
            }
            filed.append(Filed(store: store, receipt: receipts.first { $0.run == run }))
        }
        return filed
    }

    private static func keys(in folder: Folder) throws(FileFailure) -> [(store: String, key: String)] {
        guard folder.exists("keys") else { return [] }
        return try folder.text(of: "keys").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            return words.count == 2 ? (words[1], words[0]) : nil
        }
    }

    private static func name(of run: String, from store: String) -> String {
        "\(run).\(SHA256.hexadecimal(of: store).prefix(16))"
    }
}
