/// A system file of SPSS: a table with a row for each case, with labels and missing codes.
///
/// Source: PSPP Developers Guide, chapter System File Format, https://www.gnu.org/software/pspp/pspp-dev/
struct SPSSFile {
    /// A column.
    struct Variable {
        /// Unique without regard to case: a letter, then letters, digits, points and lines; at most 64 bytes.
        var name: String
        var label: String
        var measure: Measure
        var decimals = 0
        /// What single numbers mean.
        var labels: [(value: Double, text: String)] = []
        /// Numbers that say that there is no value; the file holds at most three.
        var missing: [Double] = []
        /// The numbers of values that are words.
        var codes: [String: Double] = [:]
        /// By case; `nil` where there is none.
        var cells: [Int: Cell] = [:]

        /// Bytes of a text, 1 or more; 0 for numbers.
        fileprivate var width: Int {
            guard measure == .text else { return 0 }
            return max(1, cells.values.map { $0.text.utf8.count }.max() ?? 1)
        }

        /// How many units of eight bytes a cell has.
        fileprivate var units: Int { max(1, (width + 7) / 8) }
    }

    enum Measure: UInt32 { case text = 0, nominal, ordinal, scale }

    /// A number or a text.
    enum Cell: Hashable {
        case number(Double)
        /// At most 255 bytes.
        case text(String)

        fileprivate var text: String { if case .text(let text) = self { text } else { "" } }
    }

    var variables: [Variable]
    var cases: Int

    /// The whole file, little-endian and in UTF-8.
    var bytes: [UInt8] {
        header + variables.enumerated().flatMap { record(of: $1, short: "V\($0 + 1)") } + valueLabels
            + informationRecords + Self.integers([999, 0]) + data
    }

    /// What is searched for words that must not leave: everything but numbers.
    var texts: [UInt8] {
        let words = variables.flatMap { variable in
            [variable.name, variable.label] + variable.labels.map(\.text) + variable.cells.values.map(\.text)
        }
        return Array(words.joined(separator: "\n").utf8)
    }

    private var header: [UInt8] {
        Self.padded("$FL2", to: 4) + Self.padded("@(#) SPSS DATA FILE entrain", to: 60)
            + Self.integers([2, UInt32(variables.reduce(0) { $0 + $1.units }), 0, 0, UInt32(cases)])
            + Self.double(100) + Self.padded("01 Jan 70", to: 9) + Self.padded("00:00:00", to: 8)
            + Self.padded("", to: 64) + [0, 0, 0]
    }

    private func record(of variable: Variable, short: String) -> [UInt8] {
        let isText = variable.measure == .text
        let label = Self.cut(variable.label, to: 252)
        let missing = isText ? [] : variable.missing.prefix(3)
        let format: UInt32 =
            isText ? 1 << 16 | UInt32(variable.width) << 8 : 5 << 16 | 12 << 8 | UInt32(variable.decimals)
        var bytes = Self.integers([
            2, UInt32(variable.width), label.isEmpty ? 0 : 1, UInt32(missing.count), format, format,
        ])
        bytes += Self.padded(short, to: 8)
        if !label.isEmpty {
            bytes += Self.integers([UInt32(label.count)]) + label
            bytes += Array(repeating: 0x20, count: (4 - label.count % 4) % 4)
        }
        for number in missing { bytes += Self.double(number) }
        for _ in 1..<variable.units {
            bytes += Self.integers([2, .max, 0, 0, format, format]) + Self.padded("", to: 8)
        }
        return bytes
    }

    private var valueLabels: [UInt8] {
        var bytes: [UInt8] = []
        var place: UInt32 = 1
        for variable in variables {
            defer { place += UInt32(variable.units) }
            guard !variable.labels.isEmpty else { continue }
            bytes += Self.integers([3, UInt32(variable.labels.count)])
            for (value, text) in variable.labels {
                let label = Self.cut(text, to: 120)
                bytes += Self.double(value) + [UInt8(label.count)] + label
                bytes += Array(repeating: 0x20, count: (8 - (label.count + 1) % 8) % 8)
            }
            bytes += Self.integers([4, 1, place])
        }
        return bytes
    }

    private var informationRecords: [UInt8] {
        // Version, machine, IEEE 754, no compression, little-endian, UTF-8; the missing number and the outermost ones.
        let integers = Self.integers([26, 0, 0, .max, 1, 1, 2, 65_001])
        let largest = Double.greatestFiniteMagnitude
        let reals = Self.double(-largest) + Self.double(largest) + Self.double((-largest).nextUp)
        let shown = Self.integers(
            variables.flatMap { variable in
                let isText = variable.measure == .text
                return [isText ? 1 : variable.measure.rawValue, 8, isText ? 0 : 1]
            })
        let names = variables.enumerated().map { "V\($0 + 1)=\($1.name)" }.joined(separator: "\t")
        return Self.information(3, 4, integers) + Self.information(4, 8, reals)
            + Self.information(11, 4, shown) + Self.information(13, 1, Array(names.utf8))
            + Self.information(20, 1, Array("UTF-8".utf8))
    }

    private var data: [UInt8] {
        let sizes = variables.map { 8 * $0.units }
        return (0..<cases).flatMap { row in
            zip(variables, sizes).flatMap { variable, size -> [UInt8] in
                guard variable.measure == .text else {
                    if case .number(let number)? = variable.cells[row] { return Self.double(number) }
                    return Self.double(-.greatestFiniteMagnitude)
                }
                return Self.padded(variable.cells[row]?.text ?? "", to: size)
            }
        }
    }

    private static func information(_ subtype: UInt32, _ size: Int, _ content: [UInt8]) -> [UInt8] {
        integers([7, subtype, UInt32(size), UInt32(content.count / size)]) + content
    }

    /// The first bytes of a text, without a part of a character.
    private static func cut(_ text: String, to most: Int) -> [UInt8] {
        var text = text
        while text.utf8.count > most { text.removeLast() }
        return Array(text.utf8)
    }

    private static func padded(_ text: String, to size: Int) -> [UInt8] {
        Array(text.utf8.prefix(size)) + Array(repeating: 0x20, count: max(0, size - text.utf8.count))
    }

    private static func integers(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private static func double(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
}
