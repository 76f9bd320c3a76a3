/// A bar that shows how loud the participant is.
enum SoundMeter {
    /// The range of the bar, dB below full scale.
    static let range = -60.0...0.0
    /// From this level on a voice may be distorted, dB below full scale.
    private static let loud = -6.0

    /// A bar with this many columns.
    ///
    /// - Parameter level: dB below full scale.
    static func bar(_ level: Double, columns: Int) -> [Span] {
        let place = { (level: Double) in
            let share = (level - range.lowerBound) / (range.upperBound - range.lowerBound)
            return Int((min(1, max(0, share)) * Double(columns)).rounded())
        }
        let (full, limit) = (level.isFinite ? place(level) : 0, place(loud))
        return [
            Span(String(repeating: "▮", count: min(full, limit)), .good),
            Span(String(repeating: "▮", count: max(0, full - limit)), .problem),
            Span(String(repeating: "▯", count: columns - full), .quiet),
        ]
    }
}
