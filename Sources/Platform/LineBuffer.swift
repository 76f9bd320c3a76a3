/// Splits bytes into lines, however the bytes are spread over reads. Lines that are too long are left out.
package struct LineBuffer: Sendable {
    /// The greatest length of a line, bytes.
    private static let longest = 65_536

    /// Bytes after the end of the last line.
    package private(set) var rest: [UInt8] = []
    private var isSkipping = false

    package init() {}

    /// The lines that the bytes complete; `nil` for each that is too long.
    package mutating func lines(with bytes: some Sequence<UInt8>) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        for byte in bytes {
            guard byte != 0x0A else {
                if !isSkipping { lines.append(rest) }
                (rest, isSkipping) = ([], false)
                continue
            }
            guard !isSkipping else { continue }
            rest.append(byte)
            if rest.count > Self.longest {
                (rest, isSkipping) = ([], true)
                lines.append(nil)
            }
        }
        return lines
    }
}
