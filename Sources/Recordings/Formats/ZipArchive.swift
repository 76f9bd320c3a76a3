import Glibc
import Results
import StudyModel
import TextFormat

/// The directory of a zip archive, and where its files are.
///
/// Source: PKWARE, APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. Archives beyond 4 GiB, in several parts or
/// encrypted are refused.
struct ZipArchive {
    struct Entry: Hashable {
        var name: String
        /// 0 for stored, 8 for deflated.
        var method: UInt16
        var isEncrypted: Bool
        /// CRC-32 of the unpacked file.
        var checksum: UInt32
        /// Bytes in the archive.
        var size: Int
        /// Where its own header begins.
        var offset: Int
    }

    /// Files that may be recordings, in the archive's order.
    private(set) var entries: [Entry] = []

    /// Whether it is a document of Excel or another office program, which are zip archives too.
    private(set) var isOfficeDocument = false

    private static let kinds = [
        "csv", "tsv", "txt", "json", "ndjson", "xml", "fit", "tcx", "gpx", "hrm", "edf", "bdf", "xdf",
    ]
    private static let endSignature: UInt32 = 0x0605_4B50
    private static let entrySignature: UInt32 = 0x0201_4B50
    private static let headerSignature: UInt32 = 0x0403_4B50
    /// The length of the end record with the longest comment.
    private static let longestEnd = 22 + 65_535

    /// - Parameter bytes: returns bytes of the archive from an offset; fewer only at its end.
    /// - Returns: `nil` if it is not an archive, or is damaged.
    init?(size: Int, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let tail = bytes(max(0, size - Self.longestEnd), min(size, Self.longestEnd))
        guard
            let end = tail.indices.reversed().first(where: {
                $0 + 22 <= tail.count && tail.littleEndian(UInt32.self, at: $0) == Self.endSignature
            })
        else { return nil }
        let (count, length, start) = (
            Int(tail.littleEndian(UInt16.self, at: end + 10)),
            Int(tail.littleEndian(UInt32.self, at: end + 12)),
            Int(tail.littleEndian(UInt32.self, at: end + 16))
        )
        guard start + length <= size else { return nil }
        let directory = bytes(start, length)
        var place = 0
        for _ in 0..<count {
            guard place + 46 <= directory.count,
                directory.littleEndian(UInt32.self, at: place) == Self.entrySignature
            else {
                return nil
            }
            let nameLength = Int(directory.littleEndian(UInt16.self, at: place + 28))
            let next =
                place + 46 + nameLength + Int(directory.littleEndian(UInt16.self, at: place + 30))
                + Int(directory.littleEndian(UInt16.self, at: place + 32))
            guard next <= directory.count else { return nil }
            let name = String(decoding: directory[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
            if ["[Content_Types].xml", "content.xml"].contains(name) { isOfficeDocument = true }
            if Self.mayBeRecording(name) {
                entries.append(
                    Entry(
                        name: name, method: directory.littleEndian(UInt16.self, at: place + 10),
                        isEncrypted: directory.littleEndian(UInt16.self, at: place + 8) & 1 != 0,
                        checksum: directory.littleEndian(UInt32.self, at: place + 16),
                        size: Int(directory.littleEndian(UInt32.self, at: place + 20)),
                        offset: Int(directory.littleEndian(UInt32.self, at: place + 42))
                    ))
            }
            place = next
        }
    }

    private static func mayBeRecording(_ path: String) -> Bool {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last,
            !path.hasPrefix("__MACOSX")
        else { return false }
        let kind = name.split(separator: ".").last?.lowercased() ?? ""
        return !name.hasPrefix(".") && name.contains(".") && kinds.contains(kind)
    }

    /// The file with a given name.
    ///
    /// - Parameter name: the end of its path; `nil` for the only file, or Apple Health's `export.xml`.
    func entry(named name: String?) throws(RecordingProblem) -> Entry {
        guard !isOfficeDocument else {
            throw RecordingProblem("this is a document of an office program: save its sheet as CSV")
        }
        let found: [Entry] =
            if let name {
                entries.filter { $0.name == name || $0.name.hasSuffix("/" + name) }
            } else if let export = entries.first(where: {
                $0.name.hasSuffix("apple_health_export/export.xml")
            }) {
                [export]
            } else { entries }
        guard let entry = found.first, found.count == 1 else {
            let names = entries.prefix(12).map { quoted($0.name) }.joined(separator: ", ")
            throw RecordingProblem(
                entries.isEmpty
                    ? "the archive holds no file that may be a recording"
                    : "the archive holds \(names): name one after the archive, as in export.zip/HR.csv")
        }
        guard !entry.isEncrypted, [0, 8].contains(entry.method), entry.offset < 0xFFFF_FFFF else {
            throw RecordingProblem(
                "\(quoted(entry.name)) is encrypted, larger than 4 GiB or compressed in an unusual way: unpack the archive first"
            )
        }
        return entry
    }

    /// Whether a file begins as zip archives do.
    static func isArchive(_ beginning: some Collection<UInt8>) -> Bool {
        // The second form is that of an archive without files.
        beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) || beginning.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// Where the packed bytes of an entry begin; `nil` if its header is damaged.
    static func start(of entry: Entry, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        let header = bytes(entry.offset, 30)
        guard header.count == 30, header.littleEndian(UInt32.self, at: 0) == headerSignature else {
            return nil
        }
        return entry.offset + 30 + Int(header.littleEndian(UInt16.self, at: 26))
            + Int(header.littleEndian(UInt16.self, at: 28))
    }
}
