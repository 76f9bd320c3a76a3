import Glibc

/// Recognises truncated files, such as broken copies, which decoders play without an error.
enum Truncation {
    /// Whether a WAV or Ogg file is truncated; `false` if it does not say, and for other files.
    static func cuts(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let read = { (count: Int, offset: Int) -> [UInt8] in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = unsafe pread(descriptor, &bytes, count, off_t(offset))
            return Array(bytes[..<max(0, got)])
        }
        switch read(4, 0) {
        case Array("RIFF".utf8): return isCutWAV(size, read)
        case page: return isCutOgg(read(2 * largestPage, max(0, size - 2 * largestPage)))
        case _: return false
        }
    }

    private static let page = Array("OggS".utf8)
    /// The size of the header, the segment table and 255 segments of 255 bytes.
    private static let largestPage = 27 + 255 + 255 * 255

    /// Whether at least a tenth of a second of the samples is missing. A program that writes into a pipe does not
    /// know their number, and writes 0 or the greatest number.
    private static func isCutWAV(_ size: Int, _ read: (_ count: Int, _ offset: Int) -> [UInt8]) -> Bool {
        var offset = 12
        var bytesPerSecond = 0
        while offset + 8 <= size {
            let chunk = read(8 + 12, offset)
            let length = number(chunk, at: 4)
            if chunk.starts(with: "fmt ".utf8) { bytesPerSecond = number(chunk, at: 16) }
            if chunk.starts(with: "data".utf8) {
                let isKnown = length > 0 && length < 0xffff_ff00
                return isKnown && (offset + 8 + length - size) * 10 > bytesPerSecond
            }
            offset += 8 + length + length % 2
        }
        return false
    }

    /// Whether the last page is incomplete, or not marked as the last.
    private static func isCutOgg(_ end: [UInt8]) -> Bool {
        let last = end.indices.reversed().first { end[$0] == page[0] && end[$0...].starts(with: page) }
        guard let last, last + 27 <= end.count else { return true }
        let table = end[(last + 27)...].prefix(Int(end[last + 26]))
        let length = 27 + table.count + table.reduce(0) { $0 + Int($1) }
        return end[last + 5] & 4 == 0 || table.count < Int(end[last + 26]) || last + length > end.count
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        guard offset + 4 <= bytes.count else { return 0 }
        return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}
