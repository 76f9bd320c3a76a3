import StudyModel

/// The beats that Apple Health lists under a measurement of variability, each with a time of the day to 0.01 s, and a rate
/// in whole beats per minute.
struct HealthBeats {
    /// Seconds since 1970.
    private let start: Double
    /// The same as the local time of the day, s.
    private let clock: Double
    private var last: Double?

    /// - Parameter text: the start as the record has it: `2024-01-01 01:01:36 +0200`.
    /// - Returns: `nil` if it has no time of the day.
    init?(start: Double, text: String) {
        let words = text.split(separator: " ")
        guard words.count > 1, case .timeOfDay(let clock)? = RecordedTime(String(words[1])) else {
            return nil
        }
        (self.start, self.clock) = (start, clock)
    }

    /// The interval that ends with a beat; `nil` for the first, and where the rate says that beats are missing before it.
    mutating func reading(of record: HealthRecord) -> RecordedReading? {
        // Newer iPhones write a narrow space before AM.
        guard let (rate, text) = record.beat, rate > 0,
            case .timeOfDay(let seconds)? = RecordedTime(text.replacing("\u{202F}", with: " "))
        else {
            last = nil
            return nil
        }
        // A measurement may pass midnight.
        let time = start + seconds - clock + (seconds < clock - 43_200 ? 86_400 : 0)
        defer { last = time }
        guard let last, abs(time - last - 60 / rate) <= 0.02 + 0.1 * 60 / rate,
            RecordedReading.plausibleIntervals.contains(time - last)
        else { return nil }
        let interval = ((time - last) * 1000).rounded() / 1000
        var reading = RecordedReading(
            time: time, place: 0, sample: HeartRateSample(rate: nil, rrIntervals: [interval]))
        reading.hasRatesBeside = true
        return reading
    }
}
