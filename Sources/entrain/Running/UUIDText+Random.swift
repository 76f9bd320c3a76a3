import TextFormat

extension UUIDText {
    /// A random UUID (version 4), upper-case.
    static func random() -> String {
        text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max) }, version: 4)
    }
}
