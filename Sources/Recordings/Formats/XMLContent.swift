/// What the parser has found since its readings were last taken.
final class XMLContent {
    /// In the file's order.
    var readings: [RecordedReading] = []
    private(set) var tally: RecordingTally
    let form: XMLRecording.Form
    private(set) var point = TrackPoint()
    private var recordCount = 0
    /// The beats of the record that is open, if it has any.
    private var beats: HealthBeats?
    /// How many elements are open.
    var depth = 0
    /// Bytes that the parser was given.
    var fed = 0

    init(_ form: XMLRecording.Form) {
        self.form = form
        tally = RecordingTally(placeName: form == .appleHealth ? "record" : "point")
    }

    /// Takes a record of Apple Health.
    func take(_ record: HealthRecord) {
        recordCount += 1
        beats =
            record.isVariability
            ? record.start.flatMap { HealthBeats(start: $0, text: record.startText) } : nil
        guard record.isHeartRate else { return tally.count(.otherKind, recordCount, record.type) }
        guard let value = record.beatsPerMinute else {
            return tally.count(.unreadableValue, recordCount, record.value)
        }
        add(time: record.start, text: record.startText, rate: value)
    }

    /// Takes a beat of a measurement of variability.
    func takeBeat(_ beat: HealthRecord) {
        guard var reading = beats?.reading(of: beat) else { return }
        reading.place = recordCount
        tally.readingCount += 1
        readings.append(reading)
    }

    /// Takes the track point that has just ended.
    private func takePoint() {
        recordCount += 1
        guard !point.rate.isEmpty else { return tally.count(.noValue, recordCount, "") }
        guard let rate = number(point.rate.trimmed, hasDecimalComma: false) else {
            return tally.count(.unreadableValue, recordCount, point.rate)
        }
        var time: Double?
        if case .instant(let seconds)? = RecordedTime(point.time.trimmed) { time = seconds }
        add(time: time, text: point.time, rate: rate)
    }

    /// An element of a track begins.
    func open(_ name: Substring) {
        switch name {
        case "Trackpoint", "trkpt", "wpt", "rtept": point = TrackPoint(isOpen: true)
        // Of several elements in one point the first that holds anything counts.
        case "Time" where point.isOpen, "time" where point.isOpen:
            point.part = point.time.isEmpty ? .time : .none
        case "HeartRateBpm": point.isRateOpen = point.isOpen
        case "Value" where point.isRateOpen: point.part = point.rate.isEmpty ? .rate : .none
        case "hr" where point.isOpen, "heartrate" where point.isOpen, "heartRate" where point.isOpen,
            "HeartRate" where point.isOpen:
            point.part = point.rate.isEmpty ? .rate : .none
        default: break
        }
    }

    func close(_ name: Substring) {
        point.part = .none
        switch name {
        case "Trackpoint", "trkpt", "wpt", "rtept":
            if point.isOpen { takePoint() }
            point = TrackPoint()
        case "HeartRateBpm": point.isRateOpen = false
        default: break
        }
    }

    /// Adds characters. The text of an element may come in parts.
    func add(_ text: String) {
        switch point.part {
        case .none: break
        case .time: if point.time.utf8.count < 64 { point.time += text }
        case .rate: if point.rate.utf8.count < 64 { point.rate += text }
        }
    }

    private func add(time: Double?, text: @autoclosure () -> String, rate: Double) {
        guard let time else { return tally.count(.unreadableTime, recordCount, text()) }
        guard let reading = RecordedReading(time: time, place: recordCount, rate: rate) else {
            return tally.count(.implausible, recordCount, "\(rate)")
        }
        tally.readingCount += 1
        readings.append(reading)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// A point of a track, as far as it was read.
struct TrackPoint {
    /// The element to which the next characters belong.
    enum Part { case none, time, rate }

    var isOpen = false
    /// Whether an element is open whose `Value` is the heart rate.
    var isRateOpen = false
    var part = Part.none
    var time = ""
    var rate = ""
}
