import TextFormat

extension UUIDText {
    /// A random UUID (version 4), upper-case.
    package static func random() -> String {
        text(of: randomBytes(16), version: 4)
    }
}

/// Random bytes from the system's generator.
package func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
