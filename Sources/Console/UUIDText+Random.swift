import Platform
import TextFormat

extension UUIDText {
    /// A random UUID (version 4), upper-case.
    package static func random() -> String {
        text(of: randomBytes(16), version: 4)
    }
}
