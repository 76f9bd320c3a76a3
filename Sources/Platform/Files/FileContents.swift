import Glibc

/// Reading a whole file.
package enum FileContents {
    /// Why a file could not be read.
    package enum Problem: Error, Hashable, Sendable {
        /// The file is larger than the limit.
        case tooLarge
        /// The system's error number.
        case system(Int32)
    }

    /// - Parameters:
    ///   - path: the file; `-` is standard input.
    ///   - limit: the greatest size, bytes.
    package static func read(_ path: String, limit: Int) -> Result<[UInt8], Problem> {
        let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.system(errno)) }
        defer { if descriptor > 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pull(descriptor, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(.system(errno)) }
            if count == 0 { return .success(bytes) }
            guard bytes.count + count <= limit else { return .failure(.tooLarge) }
            bytes += buffer[..<count]
        }
    }
}

/// The system's `read`, which a method with the same name hides.
private func pull(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
}

/// The system's words for an error number.
package func systemMessage(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
