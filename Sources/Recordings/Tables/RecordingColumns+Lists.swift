extension RecordingColumns {
    /// The rows that a row with a list of rates represents: `[60,60]` seconds of `[72,75]`, as Withings writes
    /// them.
    func unfolded(_ row: RecordingTable.Row) -> [RecordingTable.Row] {
        guard let rate, rate < row.cells.count, let rates = Self.list(row.cells[rate]) else { return [row] }
        let lengths =
            duration.flatMap { $0 < row.cells.count ? Self.list(row.cells[$0]) : nil }?
            .compactMap { number($0, hasDecimalComma: false) } ?? []
        guard rates.count == 1 || lengths.count == rates.count else { return [row] }
        var row = row
        return rates.indices.map { index in
            row.cells[rate] = rates[index]
            defer { if index < lengths.count { row.delay += lengths[index] } }
            return row
        }
    }

    /// The parts between brackets and commas.
    private static func list(_ cell: String) -> [String]? {
        guard cell.first == "[", cell.last == "]" else { return nil }
        return cell.dropFirst().dropLast().split(separator: ",").map { String($0.filter { $0 != " " }) }
    }
}
