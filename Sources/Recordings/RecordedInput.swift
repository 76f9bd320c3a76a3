import Glibc
import Results
import StudyModel
import TextFormat

/// The bytes of a recording, a block at a time, so that a file of any size needs the same memory.
struct RecordedInput: ~Copyable {
    /// The file's name, for messages.
    let name: String
    /// Read, but not yet taken.
    private var waiting: [UInt8]
    /// `nil` if the whole recording was given as bytes.
    private let descriptor: Int32?
    /// Converts UTF-16 to UTF-8; `nil` for other encodings, and before anything was read.
    private var decoder: UTF16Decoder?
    private var hasBegun = false

    /// - Parameter path: a file; `-` is standard input.
    init(path: String) throws(SourceFailure) {
        name = path
        waiting = []
        let opened = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            throw SourceFailure("\(quoted(path)) cannot be read: \(systemMessage(errno))")
        }
        descriptor = opened
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        descriptor = nil
        decoder = UTF16Decoder(bytes)
        waiting = decoder?.decode(bytes) ?? bytes
    }

    /// Whether the bytes were converted, so that they are no longer in the encoding that the file names.
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

    /// Takes the next bytes; empty at the end.
    mutating func take(_ block: inout [UInt8], atMost count: Int) throws(SourceFailure) {
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

    /// Takes the rest.
    ///
    /// - Throws: where that is more than `limit` bytes.
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
        guard try read(&block, count) else { return false }
        if !hasBegun {
            hasBegun = true
            // A pipe may begin with a single byte.
            while block.count < 4 {
                var more: [UInt8] = []
                guard try read(&more, count) else { break }
                block += more
            }
            decoder = UTF16Decoder(block)
        }
        guard let decoded = decoder?.decode(block) else { return true }
        block = decoded
        if !decoded.isEmpty { return true }
        return try fill(&block, count)
    }

    /// - Returns: whether there was anything.
    private func read(_ block: inout [UInt8], _ count: Int) throws(SourceFailure) -> Bool {
        guard let descriptor else {
            block.removeAll()
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
            return got > 0
        }
    }
}
