import Physiology
import TextFormat

/// A recording split into rows and cells whose meaning is not known yet.
struct RecordingTable {
    /// Cells that belong together.
    struct Row: Hashable {
        /// Where the row begins, from 1: the line of the file, or the item of an array.
        var line: Int
        /// The cells without spaces around them.
        var cells: [String]
        /// Seconds to add to the time in the cells.
        var delay = 0.0
    }

    /// The separator between two cells.
    enum Separator: UInt8, CaseIterable {
        case tab = 0x09
        case semicolon = 0x3B
        case comma = 0x2C
        case bar = 0x7C
        /// Any number of spaces.
        case space = 0x20

        var name: String {
            switch self {
            case .tab: "tab"
            case .semicolon: "';'"
            case .comma: "','"
            case .bar: "'|'"
            case .space: "space"
            }
        }
    }

    /// The longest line of text, bytes.
    static let lineLimit = 1 << 20

    /// Rows in the file's order; each has at least one cell.
    var rows: [Row]
    /// Whether `1,5` means one and a half.
    var hasDecimalCommas: Bool
    /// The form of the file, in words.
    var form: String
    /// The unit that `Row.line` counts: `line` or `item`.
    var rowName = "line"
    /// Whether the rows were objects.
    var isJSON = false
    /// Lines and items that are not a complete JSON object.
    var broken: [(place: Int, text: String)] = []
    /// Whether a comment gives a sampling rate; the values are then a waveform.
    private(set) var isSampled = false
    /// How much later than the first block of the file the last one began, s.
    var blockDelay = 0.0
    /// Where the file is damaged, if it is. Everything before that place was read.
    var damage: String?
    /// Whether all numbers of a row are values of one series.
    private var isList = false
    /// The separator between the cells; `nil` if every line is one cell.
    private(set) var separator: Separator?

    /// JSON that has no rows yet.
    init(form: String, rowName: String) {
        (rows, hasDecimalCommas, isJSON) = ([], false, true)
        (self.form, self.rowName) = (form, rowName)
    }

    /// - Parameters:
    ///   - bytes: a whole file, or its first lines.
    ///   - mayBeList: whether rows of several numbers may be one series, as intervals often are.
    init(_ bytes: [UInt8], mayBeList: Bool = false) throws(RecordingProblem) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        try refuseForeignForm(of: text)
        guard !Self.isJSON(text) else {
            self = try RecordingTable(json: text)
            return
        }
        isSampled = Self.tellsSampling(text)
        separator = Self.hasOnlyDecimalCommas(text) ? nil : Self.separator(of: text)
        var cutter = CellCutter(text, separator: separator, firstLine: 1)
        rows = try cutter.rows()
        guard !rows.isEmpty else { throw RecordingProblem("the file is empty", line: 1) }
        hasDecimalCommas = true
        form = separator.map { "cells separated by \($0.name)" } ?? "one value a line"
        isList = (mayBeList && separator != nil || separator == .space) && isListOfNumbers
        if isList { splitList() }
    }

    /// The next block of a file whose beginning was read. It has the same separators and form, but no names.
    ///
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - beginning: the file's first block.
    ///   - firstLine: which line of the file the block begins with.
    init(_ bytes: [UInt8], like beginning: RecordingTable, firstLine: Int) throws(RecordingProblem) {
        self = beginning
        if isJSON {
            self = try RecordingTable(lines: bytes[...], like: beginning, firstLine: firstLine)
            return
        }
        var cutter = CellCutter(bytes[...], separator: separator, firstLine: firstLine)
        rows = try cutter.rows()
        if isList { splitList() }
    }

    /// Leaves out the headers of later blocks, as LabChart writes them, and adds how much later each block began.
    ///
    /// - Parameter origin: when the first block began; `nil` if the file has none of LabChart's.
    mutating func joinBlocks(from origin: Double?) {
        guard let origin else { return }
        rows = rows.compactMap { row in
            guard !row.cells[0].hasSuffix("=") else {
                if row.cells[0] == "ExcelDateTime=" {
                    blockDelay =
                        TableHead.start(Array(row.cells.dropFirst())).map { $0 - origin } ?? blockDelay
                }
                return nil
            }
            var row = row
            row.delay += blockDelay
            return row
        }
    }

    private mutating func splitList() {
        rows = rows.flatMap { row in
            row.cells.filter { !$0.isEmpty }.map { Row(line: row.line, cells: [$0]) }
        }
        form = "a list of values"
    }

    /// Whether the rows together are a list of numbers that are alike, rather than a table: its rows have equal lengths,
    /// and a first column that increases or other numbers than the rest.
    private var isListOfNumbers: Bool {
        guard
            rows[0].cells.allSatisfy({
                number($0, hasDecimalComma: true) != nil || Self.missing.contains($0.lowercased())
            })
        else { return false }
        let numbers = rows.map { row in
            row.cells.filter { !$0.isEmpty && !Self.missing.contains($0.lowercased()) }.map {
                number($0, hasDecimalComma: separator != .comma)
            }
        }
        guard numbers.allSatisfy({ $0.allSatisfy { $0 != nil } }) else { return false }
        let isEven = rows.count > 1 && rows.allSatisfy { $0.cells.count == rows[0].cells.count }
        guard isEven else { return true }
        let first = numbers.map { $0.first ?? nil }.compactMap(\.self)
        let doesGrow = zip(first.dropFirst(), first).allSatisfy { $0 > $1 }
        let all = numbers.joined().compactMap(\.self).filter { $0 > 0 }
        guard !doesGrow, let middle = median(all) else { return false }
        return 20 * all.count { (middle / 4...middle * 4).contains($0) } >= 19 * all.count
    }

    /// Whether each line is one number that may have a decimal comma, such as `0,812`, rather than two numbers.
    private static func hasOnlyDecimalCommas(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.prefix(1 << 16).split(maxSplits: 60) { $0 == 0x0A || $0 == 0x0D }.prefix(60)
            .filter { $0.first != UInt8(ascii: "#") }
        var wholes: [Int] = []
        let hasName =
            lines.first.map { line in line.contains { $0 | 0x20 >= 0x61 } && !line.contains(0x2C) } == true
        for line in lines.dropFirst(hasName ? 1 : 0) {
            let parts = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard parts.count == 2, let whole = Int(String(decoding: parts[0], as: UTF8.self)),
                parts[1].allSatisfy({ (0x30...0x39).contains($0) }), !parts[1].isEmpty,
                whole < 20 || parts[1].count < 3
            else { return false }
            wholes.append(whole)
        }
        return !zip(wholes.dropFirst(), wholes).allSatisfy { $0 > $1 }
    }

    /// The separator in at least half of the first lines; `nil` if every line is one cell.
    private static func separator(of text: ArraySlice<UInt8>) -> Separator? {
        let lines = text.prefix(1 << 16).split(maxSplits: 60) { $0 == 0x0A || $0 == 0x0D }.prefix(60)
            .filter { $0.first != UInt8(ascii: "#") }
        for separator in [Separator.tab, .semicolon, .bar, .comma] {
            let having = lines.count { hasUnquoted(separator.rawValue, in: $0) }
            if having > 0, 2 * having >= lines.count { return separator }
        }
        // The first line may contain names.
        let values = lines.count > 1 ? lines.dropFirst() : lines[...]
        let isNumbers = values.allSatisfy { line in
            line.split(separator: UInt8(ascii: " ")).allSatisfy {
                let word = String(decoding: $0, as: UTF8.self)
                return number(word, hasDecimalComma: true) != nil || missing.contains(word.lowercased())
            }
        }
        return isNumbers && values.contains { $0.contains(UInt8(ascii: " ")) } ? .space : nil
    }

    /// Whether a line that begins with `#` gives the sampling rate of a signal.
    static func tellsSampling(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.prefix(1 << 14).split(maxSplits: 60) { $0 == 0x0A || $0 == 0x0D }
        return lines.contains { line in
            guard line.first == UInt8(ascii: "#") else { return false }
            let words = String(decoding: line, as: UTF8.self).lowercased()
            return ["sampling", "sample rate", "samplerate", "hz"].contains { words.contains($0) }
        }
    }

    private static func hasUnquoted(_ byte: UInt8, in line: ArraySlice<UInt8>) -> Bool {
        var isQuoted = false
        for next in line {
            if next == UInt8(ascii: "\"") { isQuoted.toggle() }
            if next == byte, !isQuoted { return true }
        }
        return false
    }
}

/// Splits text into rows of cells by RFC 4180, but a little more tolerantly.
///
/// Lines end with LF, CR LF or CR; lines that begin with `#` and empty lines are left out.
private struct CellCutter {
    private let text: ArraySlice<UInt8>
    private let separator: UInt8?
    private var position: Int
    private var line: Int
    private var lineStart: Int

    init(_ text: ArraySlice<UInt8>, separator: RecordingTable.Separator?, firstLine: Int) {
        self.text = text
        line = firstLine
        self.separator = separator?.rawValue
        position = text.startIndex
        lineStart = position
    }

    mutating func rows() throws(RecordingProblem) -> [RecordingTable.Row] {
        var rows: [RecordingTable.Row] = []
        while position < text.endIndex {
            let line = line
            if text[position] == UInt8(ascii: "#") {
                while position < text.endIndex, !isLineEnd(text[position]) { try step() }
                endLine()
                continue
            }
            var cells: [String] = []
            repeat { cells.append(try cell()) } while skipSeparator()
            endLine()
            if separator == nil, let remark = cells[0].firstRange(of: " #") {
                cells = [String(cells[0][..<remark.lowerBound])]
            }
            if separator == UInt8(ascii: " ") { cells.removeAll(where: \.isEmpty) }
            if cells.contains(where: { !$0.isEmpty }) { rows.append(.init(line: line, cells: cells)) }
        }
        return rows
    }

    private mutating func cell() throws(RecordingProblem) -> String {
        while position < text.endIndex, text[position] == UInt8(ascii: " "), separator != text[position] {
            try step()
        }
        guard position < text.endIndex, text[position] == UInt8(ascii: "\"") else {
            return trimmed(try plain())
        }
        return trimmed(try quoted() + plain())
    }

    private mutating func plain() throws(RecordingProblem) -> [UInt8] {
        let start = position
        while position < text.endIndex, text[position] != separator, !isLineEnd(text[position]) {
            try step()
        }
        return Array(text[start..<position])
    }

    private mutating func quoted() throws(RecordingProblem) -> [UInt8] {
        let opening = line
        var content: [UInt8] = []
        position += 1
        while position < text.endIndex {
            if text[position] == UInt8(ascii: "\"") {
                position += 1
                guard position < text.endIndex, text[position] == UInt8(ascii: "\"") else { return content }
            }
            content.append(text[position])
            if isLineEnd(text[position]) { endLine() } else { try step() }
        }
        throw RecordingProblem(
            "a quotation mark is opened and never closed: close it, or double it if it is meant as text",
            line: opening)
    }

    private mutating func step() throws(RecordingProblem) {
        guard text[position] != 0 else {
            throw RecordingProblem(
                "this is not text (it holds a zero byte): export the recording as CSV in UTF-8", line: line)
        }
        guard position - lineStart < RecordingTable.lineLimit else {
            throw RecordingProblem(
                "the line is longer than \(RecordingTable.lineLimit >> 20) MiB: write one row a line",
                line: line)
        }
        position += 1
    }

    private mutating func skipSeparator() -> Bool {
        guard position < text.endIndex, text[position] == separator else { return false }
        position += 1
        return true
    }

    private mutating func endLine() {
        guard position < text.endIndex else { return }
        let isCarriageReturn = text[position] == 0x0D
        position += 1
        if isCarriageReturn, position < text.endIndex, text[position] == 0x0A { position += 1 }
        line += 1
        lineStart = position
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private func trimmed(_ bytes: [UInt8]) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }
}

/// Refuses a file in an unsupported form, and names the form.
private func refuseForeignForm(of text: ArraySlice<UInt8>) throws(RecordingProblem) {
    let bytes = Array(text.prefix(4096))
    let form: String? =
        if bytes.count >= 12, bytes[8..<12].elementsEqual(".FIT".utf8) {
            "a FIT file"
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            "text in UTF-16"
        } else if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            "an XML file"
        } else {
            nil
        }
    guard let form else { return }
    throw RecordingProblem(
        "this is \(form), which is not understood as a table. Understood are CSV in UTF-8 with columns such as time "
            + "and hr, JSON with one object a line, and for heart rates also FIT, TCX, GPX and Apple Health's export.xml"
    )
}
