import Datasets
import Hashing
import Results
import TextFormat

/// Identifiers for single measurements, always the same for the same measurement of the same run.
enum PointIdentity {
    /// A UUID of digits alone.
    static func uuid(_ run: String, _ kind: String, _ index: Int) -> String {
        var digits = SHA256.digest(of: Array("\(run) \(kind) \(index)".utf8)).map {
            UInt8(ascii: "0") + $0 % 10
        }
        digits[12] = UInt8(ascii: "8")
        digits[16] = UInt8(ascii: "8")
        return UUIDText.grouped(String(decoding: digits, as: UTF8.self))
    }
}
