package import StudyModel
import TextFormat

/// Files with a column for each channel: comma-separated values, packed with gzip.
package enum WaveColumns {
    /// Ends the names of such files.
    package static let suffix = "csv.gz"
    /// The media type of such files.
    package static let contentType = "application/gzip"

    /// The name of the column of times.
    package static let timeColumn = "runOffset"

    /// The line of names. A channel with the name of the times gets a number.
    static func header(of layout: WaveLayout) -> [UInt8] {
        let names =
            [timeColumn]
            + layout.channels.map { CommaSeparated.cell($0.name == timeColumn ? $0.name + " 2" : $0.name) }
        return Array(names.joined(separator: ",").utf8) + [UInt8(ascii: "\n")]
    }

    /// The same file with other names of the channels.
    package static func renamed(_ packed: [UInt8], _ layout: WaveLayout) throws -> [UInt8] {
        let bytes = try Inflation.unpacked(packed)
        let body = bytes.firstIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)...] } ?? []
        return try Deflation.packed(header(of: layout) + body, level: 4)
    }
}
