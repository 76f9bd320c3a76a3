import TextFormat

/// What the user says about a recording whose file does not say it.
package struct RecordingGuide: Hashable, Sendable {
    /// What the values are.
    package enum Values: String, CaseIterable, Sendable {
        /// Beats per minute.
        case rates = "hr"
        /// Time between beats.
        case intervals = "rr"
        /// The voltage of the heart, in which beats are detected.
        case ecg
    }

    /// Which column holds the times.
    package enum Times: Hashable, Sendable {
        case column(String)
        /// No column: the rows follow each other once a second, or by their intervals.
        case none
    }

    /// `nil` if the file alone decides.
    package var values: Values?
    /// The name of the column that contains the values; `nil` to find it from the file.
    package var column: String?
    /// `nil` if the file alone decides.
    package var times: Times?
    /// Samples per second of an ECG in a table, if no column contains times.
    package var rate: Double?
    /// Whether values that nothing explains are taken for intervals, with a doubt, if they can be.
    var wantsIntervals = false
    /// Seconds from one row to the next, if a file beside the table or its header says so.
    var period: Double?
    /// What `period` would be, if the header says so beside a column of times.
    var step: Double?
    /// Seconds since 1970 from which times count, if the header says so.
    var origin: Double?
    /// The number of rows, if the header says so.
    var rowCount: Int?

    /// What is wrong with the number of rows, if it is not that of the header; nothing otherwise.
    func doubts(ofRows count: Int) -> [String] {
        rowCount.map { told in
            told == count
                ? [] : ["the header says \(told) samples, but there are \(count): some may be missing"]
        } ?? []
    }

    /// The user says nothing, so the file decides.
    package init() {}

    /// - Parameters:
    ///   - values: `rr`, `hr` or `ecg`, or one of them with a column, such as `rr=beat`.
    ///   - times: a column, or `none`.
    ///   - rate: samples per second of an ECG.
    /// - Returns: `nil` if `values` begins with none of them.
    package init?(values: String?, times: String?, rate: Double? = nil) {
        self.rate = rate
        if let values {
            let parts = values.split(separator: "=", maxSplits: 1)
            guard let kind = parts.first.flatMap({ Values(rawValue: String($0)) }) else { return nil }
            self.values = kind
            column = parts.count > 1 ? String(parts[1]) : nil
        }
        self.times = times.map { $0 == "none" ? .none : .column($0) }
    }

    /// The index of the column with that name, regardless of case and punctuation, or with that number, from 1.
    static func index(of name: String, in cells: [String]) throws(RecordingProblem) -> Int {
        if let index = cells.firstIndex(of: name) { return index }
        if let index = cells.firstIndex(where: { plain($0) == plain(name) }) { return index }
        if let index = cells.firstIndex(where: { plain(parts(of: $0).name) == plain(name) }) { return index }
        if let number = Int(name), cells.indices.contains(number - 1) { return number - 1 }
        throw RecordingProblem(
            "there is no column \(quoted(name)), only \(cells.prefix(12).map(quoted).joined(separator: ", "))"
        )
    }

    /// The name of a column or channel, and its unit if it ends with one: `ecg [mV]`.
    static func parts(of name: String) -> (name: String, unit: String) {
        for (opening, closing) in [("[", "]"), ("(", ")")] where name.hasSuffix(closing) {
            guard let start = name.lastIndex(of: Character(opening)), start > name.startIndex else {
                continue
            }
            let plain = name[..<start].reversed().drop { $0 == " " }.reversed()
            return (String(plain), String(name[name.index(after: start)...].dropLast()))
        }
        return (name, "")
    }

    /// Letters and digits in lower case.
    static func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}
