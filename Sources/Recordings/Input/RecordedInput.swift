import Glibc
import Platform
import Results
import StudyModel
import TextFormat

/// The bytes of a recording, a block at a time, so that files of any size need the same memory.
struct RecordedInput: ~Copyable {
    /// The file's name, for messages.
    let name: String
    /// Bytes that were read but not yet taken.
    private var waiting: [UInt8]
    /// `nil` if the whole recording was given as bytes.
    private let descriptor: Int32?
    /// Converts UTF-16 to UTF-8; `nil` for other encodings, and before anything has been read.
    private var decoder: UTF16Decoder?
    private var hasBegun = false
    /// Unpacks what is read; `nil` for a recording that is not packed, and before anything has been read.
    private var inflation: Inflation?
    /// Unread bytes that belong to the recording, if it is stored unpacked in an archive.
    private var stored: Int?
    /// Bytes that were given but not yet read.
    private var given: ArraySlice<UInt8> = []

    /// - Parameter path: a file, or one in a zip archive (`export.zip/HR.csv`); `-` is standard input.
    init(path: String) throws(SourceFailure) {
        name = path
        waiting = []
        let file = try OpenedFile(path: path)
        descriptor = file.descriptor
        (inflation, stored) = (file.inflation, file.stored)
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        descriptor = nil
        waiting = []
        given = bytes[...]
    }

    /// Whether the bytes were converted, so that they no longer have the encoding that the file names.
    var isTranscoded: Bool { decoder != nil }

    deinit { if let descriptor, descriptor > 0 { close(descriptor) } }

    /// The next bytes, without taking them; fewer than `count` only at the end.
    mutating func beginning(_ count: Int) throws(SourceFailure) -> ArraySlice<UInt8> {
        var block: [UInt8] = []
        while waiting.count < count, try fill(&block, min(count - waiting.count, 1 << 18)) {
            waiting += block
        }
        return waiting.prefix(count)
    }

    /// Replaces a block with the next bytes; empty at the end.
    mutating func read(into block: inout [UInt8], atMost count: Int) throws(SourceFailure) {
        guard waiting.isEmpty else {
            if waiting.count <= count {
                swap(&block, &waiting)
                waiting = []
            } else {
                block = Array(waiting[..<count])
                waiting.removeFirst(count)
            }
            return
        }
        _ = try fill(&block, count)
    }

    /// Returns the next bytes; fewer than `count` only at the end.
    mutating func next(_ count: Int) throws(SourceFailure) -> [UInt8] {
        var block: [UInt8] = []
        guard count > 0 else { return block }
        _ = try beginning(count)
        try read(into: &block, atMost: count)
        return block
    }

    /// Puts bytes before those that have not been taken yet.
    mutating func prepend(_ bytes: [UInt8]) { waiting = bytes + waiting }

    /// Returns the rest.
    ///
    /// - Throws: if that is more than `limit` bytes.
    mutating func rest(limit: Int) throws(SourceFailure) -> [UInt8] {
        let bytes = Array(try beginning(limit + 1))
        guard bytes.count <= limit else {
            throw SourceFailure(
                "\(quoted(name)) is larger than \(limit >> 20) MiB: cut it into pieces", isBadData: true)
        }
        waiting = []
        return bytes
    }

    /// - Returns: whether there was anything.
    private mutating func fill(_ block: inout [UInt8], _ count: Int) throws(SourceFailure) -> Bool {
        guard try unpack(&block, count) else { return false }
        if !hasBegun {
            hasBegun = true
            // A pipe may deliver a single byte at first.
            while block.count < 4 {
                var more: [UInt8] = []
                guard try unpack(&more, count) else { break }
                block += more
            }
            if inflation == nil, block.starts(with: [0x1F, 0x8B, 0x08]) {
                let gzip = try unpacking(name) { () throws(Inflation.Problem) in try Inflation(.gzip) }
                gzip.feed(block)
                inflation = gzip
                guard try unpack(&block, count) else { return false }
            }
            guard !ZipArchive.isArchive(block) else {
                throw SourceFailure(
                    "\(quoted(name)) is a zip archive, which cannot be read from a pipe or out of another archive: give "
                        + "the file itself", isBadData: true)
            }
            decoder = UTF16Decoder(block)
        }
        guard let decoded = decoder?.decode(block) else { return true }
        block = decoded
        if !decoded.isEmpty { return true }
        return try fill(&block, count)
    }

    /// Reads, and unpacks what is packed.
    ///
    /// - Returns: whether there was anything.
    private mutating func unpack(_ block: inout [UInt8], _ count: Int) throws(SourceFailure) -> Bool {
        guard let inflation else { return try read(&block, count) }
        while true {
            block = try unpacking(name) { () throws(Inflation.Problem) in
                try inflation.unpack(atMost: max(count, 1))
            }
            if !block.isEmpty { return true }
            var packed: [UInt8] = []
            guard try read(&packed, 1 << 16) else {
                if inflation.isAtEnd { return false }
                throw SourceFailure(
                    "\(quoted(name)) is cut off: its compressed data do not end", isBadData: true)
            }
            inflation.feed(packed)
        }
    }

    /// - Returns: whether there was anything.
    private mutating func read(_ block: inout [UInt8], _ count: Int) throws(SourceFailure) -> Bool {
        guard let descriptor else {
            block = Array(given.prefix(count))
            given = given.dropFirst(count)
            return !block.isEmpty
        }
        let count = min(count, stored ?? count)
        guard count > 0 else {
            block = []
            return false
        }
        if block.count != count { block = [UInt8](repeating: 0, count: count) }
        while true {
            let got = unsafe block.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw SourceFailure("\(quoted(name)) cannot be read: \(systemMessage(errno))")
            }
            if got < count { block.removeLast(count - got) }
            if let stored { self.stored = stored - got }
            return got > 0
        }
    }
}

/// Adds what is wrong with a packed file to its failures.
private func unpacking<Value>(
    _ name: String, _ work: () throws(Inflation.Problem) -> Value
) throws(SourceFailure) -> Value {
    do { return try work() } catch {
        switch error {
        case .broken:
            throw SourceFailure(
                "\(quoted(name)) is damaged: it cannot be unpacked as a whole", isBadData: true)
        case .junk:
            throw SourceFailure(
                "\(quoted(name)): after its compressed data come bytes that are not compressed, so a part may be damaged: unpack it "
                    + "yourself if they are not part of the recording", isBadData: true)
        case .bomb:
            throw SourceFailure(
                "\(quoted(name)) unpacks to more than \(Inflation.highestRatio) times its size, unlike any recording: "
                    + "unpack it yourself if you trust it", isBadData: true)
        }
    }
}

/// A file to be read, positioned where the recording in it begins.
private struct OpenedFile {
    let descriptor: Int32
    /// Set for a file that is packed in an archive.
    private(set) var inflation: Inflation?
    /// The number of bytes of an unpacked file in an archive.
    private(set) var stored: Int?

    init(path: String) throws(SourceFailure) {
        let parts = Self.parts(of: path)
        descriptor = path == "-" ? 0 : unsafe open(parts.file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SourceFailure("\(quoted(path)) cannot be read: \(systemMessage(errno))")
        }
        do { try enterArchive(path, entry: parts.entry) } catch {
            if descriptor > 0 { close(descriptor) }
            throw error
        }
    }

    /// The archive and the file in it, for a path such as `export.zip/HR.csv`.
    private static func parts(of path: String) -> (file: String, entry: String?) {
        let lower = path.lowercased()
        guard let end = lower.firstRange(of: ".zip/"), unsafe access(path, F_OK) != 0 else {
            return (path, nil)
        }
        let length = lower.distance(from: lower.startIndex, to: end.upperBound)
        return (String(path.prefix(length - 1)), String(path.dropFirst(length)))
    }

    /// Goes to the recording within an archive, if the file is one.
    private mutating func enterArchive(_ path: String, entry name: String?) throws(SourceFailure) {
        let descriptor = descriptor
        func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
            guard count > 0 else { return [] }
            return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
                // SAFETY: the buffer has room for `count` bytes.
                unsafe got = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
            }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            ZipArchive.isArchive(bytes(0, 4))
        else { return }
        let size = Int(status.st_size)
        let (start, entry) = try naming(path) { () throws(RecordingProblem) -> (Int, ZipArchive.Entry) in
            guard let archive = ZipArchive(size: size, bytes: bytes) else {
                throw RecordingProblem("the archive is damaged: its directory cannot be read")
            }
            let entry = try archive.entry(named: name)
            guard let start = ZipArchive.start(of: entry, bytes: bytes), start + entry.size <= size else {
                throw RecordingProblem(
                    "the archive is damaged: \(quoted(entry.name)) is not where the directory says")
            }
            return (start, entry)
        }
        guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else {
            throw SourceFailure("\(quoted(path)) cannot be read: \(systemMessage(errno))")
        }
        stored = entry.size
        if entry.method == 8 {
            inflation = try unpacking(path) { () throws(Inflation.Problem) in
                try Inflation(.none(checksum: entry.checksum))
            }
        }
    }
}
