package import StudyModel
import TextFormat

/// Slots that somebody made outside of the program: a CSV file (RFC 4180) with the columns `slot` and `arm`, and one
/// for each factor of the design.
package struct AllocationList: Hashable, Sendable {
    /// The file, byte for byte: the commitment holds for it.
    package let bytes: [UInt8]
    /// How many slots there are.
    package let count: Int
    /// The arms of each stratum, by levels, in the order of the column `slot`.
    private let arms: [[String]: [Identifier]]

    /// By levels and the number in the column `slot`.
    private typealias Slots = [[String]: [Int: Slot]]

    private struct Slot {
        var arm: Identifier
        var line: Int
    }

    private struct Line {
        /// From 1.
        var number: Int
        var cells: [String]
    }

    /// - Parameters:
    ///   - path: the file, as errors name it.
    ///   - levels: the levels that each factor has in the study; `nil` if they are not to be looked at again.
    /// - Throws: if it is no such list; with the line.
    package init(
        _ bytes: [UInt8], from path: String, for design: AllocationDesign, levels: [[String]]? = nil
    ) throws(LedgerFailure) {
        self.bytes = bytes
        let wrong = { (line: Int, words: String) in LedgerFailure("\(path):\(line): \(words)", .damaged) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw wrong(1, "the list is no text in UTF-8")
        }
        var lines = Self.lines(of: text)
        guard !lines.isEmpty else { throw wrong(1, "the list is empty") }
        let head = lines.removeFirst()
        let factors = design.allocation.factors.map(\.text)
        if let problem = Self.problem(in: head.cells, factors) { throw wrong(head.number, problem) }
        guard !lines.isEmpty else { throw wrong(head.number, "the list has no slots") }
        let places = (["slot", "arm"] + factors).compactMap(head.cells.firstIndex(of:))
        var slots: Slots = [:]
        for line in lines {
            guard line.cells.count == head.cells.count else {
                throw wrong(
                    line.number,
                    "this line has \(counted(line.cells.count, "value")), and there are \(head.cells.count) columns"
                )
            }
            let cells = places.map { line.cells[$0] }
            if let problem = Self.problem(taking: cells, at: line.number, into: &slots, design, levels) {
                throw wrong(line.number, problem)
            }
        }
        count = lines.count
        arms = slots.mapValues { own in own.sorted { $0.key < $1.key }.map(\.value.arm) }
    }

    /// The strata, with their numbers of slots.
    package var strata: [(levels: [String], slots: Int)] {
        arms.map { ($0.key, $0.value.count) }.sorted { $0.levels.lexicographicallyPrecedes($1.levels) }
    }

    /// How many slots each arm has.
    package func slots(of arm: Identifier) -> Int { arms.values.joined().count { $0 == arm } }

    /// The arm of a stratum's next slot after `taken` ones; `nil` if the list ends before it.
    func arm(for levels: [String], after taken: Int) -> Identifier? {
        guard let own = arms[levels], taken < own.count else { return nil }
        return own[taken]
    }

    /// A stratum in words.
    package static func words(for levels: [String]) -> String {
        "'" + levels.map { $0.isEmpty ? "no answer" : $0 }.joined(separator: ", ") + "'"
    }

    /// What is wrong with the names of the columns.
    private static func problem(in names: [String], _ factors: [String]) -> String? {
        let wanted = ["slot", "arm"] + factors
        let form = "the first line should be '\(wanted.joined(separator: ","))', in any order"
        if let missing = wanted.first(where: { !names.contains($0) }) {
            return "there is no column '\(missing)': \(form), with commas between the columns"
        }
        if let unknown = names.first(where: { !wanted.contains($0) }) {
            return "the column '\(unknown.prefix(64))' is unknown: \(form)"
        }
        return names.count == wanted.count ? nil : "a column stands there twice: \(form)"
    }

    /// Takes a slot into `slots`.
    ///
    /// - Parameter cells: the number, the arm and the levels.
    /// - Returns: what is wrong with it.
    private static func problem(
        taking cells: [String], at line: Int, into slots: inout Slots, _ design: AllocationDesign,
        _ known: [[String]]?
    ) -> String? {
        guard let number = Int(cells[0]), number > 0 else {
            return "'\(cells[0].prefix(64))' is no number of a slot: it should be a whole number from 1"
        }
        guard let arm = design.arms.first(where: { $0.identifier.text == cells[1] })?.identifier else {
            let names = design.arms.map(\.identifier.text)
            return "there is no arm '\(cells[1].prefix(64))': the arms are \(listed(names))"
        }
        let levels = Array(cells[2...])
        for (place, level) in levels.enumerated() {
            // An empty cell is for those who gave no answer.
            guard let all = known?[place], !level.isEmpty, !all.contains(level) else { continue }
            return "'\(design.allocation.factors[place])' cannot be '\(level.prefix(64))': "
                + "it is \(listed(all, last: "or"))"
        }
        if let other = slots[levels]?[number] {
            let stratum = levels.isEmpty ? "" : " of \(words(for: levels))"
            return "the slot \(number)\(stratum) stands in line \(other.line) already"
        }
        slots[levels, default: [:]][number] = Slot(arm: arm, line: line)
        return nil
    }

    /// The cells of each line that is not empty.
    private static func lines(of text: String) -> [Line] {
        var scalars = Array(text.unicodeScalars)
        // Spreadsheets begin a file with a byte order mark.
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var next = 1
        return CommaSeparated.lines(of: scalars).compactMap { cells in
            let number = next
            let texts = cells.map(\.text)
            // A text in quotes may have several lines.
            next += 1 + texts.reduce(0) { $0 + $1.unicodeScalars.count { $0 == "\n" } }
            return texts == [""] ? nil : Line(number: number, cells: texts)
        }
    }
}
