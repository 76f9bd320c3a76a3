/// Width and height of a picture, pixels.
package struct ImageSize: Hashable, Sendable {
    /// Wider or higher ones are not shown.
    package static let largest = 8_192

    package private(set) var width = 0
    package private(set) var height = 0

    /// Reads the size that a PNG or a JPEG states (ISO 15948, 11.2.1; ITU-T T.81, B.2.2).
    ///
    /// - Returns: `nil` if the bytes are neither, or state no size from 1 to `largest`.
    package init?(of bytes: [UInt8]) {
        func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 24 {
            (width, height) = (number(16) << 16 | number(18), number(20) << 16 | number(22))
        } else if bytes.starts(with: [0xFF, 0xD8]) {
            // The frame's header comes after segments of other kinds, each with its length.
            var place = 2
            while place + 8 < bytes.count, bytes[place] == 0xFF {
                let marker = bytes[place + 1]
                if marker == 0xC0 || (0xC1...0xCF).contains(marker) && marker % 4 != 0 {
                    (width, height) = (number(place + 7), number(place + 5))
                    break
                }
                place += marker == 0xFF ? 1 : 2 + number(place + 2)
            }
        }
        guard (1...Self.largest).contains(width), (1...Self.largest).contains(height) else { return nil }
    }

    /// Why a file is no picture that can be shown; `nil` if it is one.
    package static func problem(at path: String) -> String? {
        switch FileContents.read(path, limit: largestFile) {
        case .success(let bytes):
            ImageSize(of: bytes) == nil ? "it is no PNG or JPEG of 1 to \(largest) pixels a side" : nil
        case .failure(.tooLarge): "it has more than \(largestFile >> 20) MiB"
        case .failure(.system(let code)): systemMessage(code)
        }
    }

    /// Bytes.
    package static let largestFile = 32 << 20
}
