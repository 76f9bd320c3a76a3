import BundleReplay
import Physiology
import Results
import StudyModel
import TextFormat

/// Turns recorders' files into rows, item by item.
struct RecordingRows {
    /// Items that no table holds.
    private(set) var otherItems = 0
    private(set) var samples: TableText
    private(set) var beats: TableText
    private(set) var numbers: TableText
    private(set) var ratings: TableText
    private(set) var taps: TableText
    private(set) var displays: TableText
    /// How many heart rates each visit has.
    private(set) var samplesOfVisits: [Int]
    /// The taps of each visit, apart where a pause was between them.
    private(set) var tapsOfVisits: [[[TapSummary.Tap]]]
    /// What the items of the last file said about their signal.
    private(set) var said = SignalSummary()
    private let visits: [ResultBundle.Visit]
    private let expected: [ExpectedCourse?]
    /// The expected rates over the visit that items belong to.
    private var course: ExpectedCourse?
    private var time = TimeText()
    /// Says which heart rates and intervals count; without it, all do.
    var hearts: BundleHearts?
    /// The stretch that rows belong to, without its source.
    private var stretch = RunHeart.Stretch(step: 0, source: "", recorder: "")
    /// The last source, as written, and whether what the recorder took from it in the step counts.
    private var judged: (source: [UInt8], rates: Bool, intervals: Bool)?

    /// What items say about their signal.
    struct SignalSummary {
        /// The source of the first item, as written.
        fileprivate(set) var source: [UInt8] = []
        fileprivate var quality = (sum: 0.0, count: 0)

        /// The mean quality of all items that give one.
        var meanQuality: Double? { quality.count > 0 ? quality.sum / Double(quality.count) : nil }
    }

    /// - Parameters:
    ///   - visits: the run's visits of steps, in order.
    ///   - expected: the heart rate that the study expects, for each of them.
    ///   - samples: where samples are added.
    ///   - beats: where intervals are added.
    ///   - numbers: where numbers of other signals are added.
    ///   - ratings: where positions of ratings are added.
    ///   - taps: where taps are added.
    ///   - displays: where what was displayed is added.
    init(
        of visits: [ResultBundle.Visit], _ expected: [ExpectedCourse?], samples: TableText, beats: TableText,
        numbers: TableText, ratings: TableText, taps: TableText, displays: TableText
    ) {
        (self.visits, self.expected) = (visits, expected)
        samplesOfVisits = Array(repeating: 0, count: visits.count)
        self.samples = samples
        self.beats = beats
        self.numbers = numbers
        self.ratings = ratings
        self.taps = taps
        self.displays = displays
        tapsOfVisits = Array(repeating: [], count: visits.count)
    }

    /// Adds the items of a file. The file of a recorder over several steps lies with the last of them, but each
    /// item goes to the visit in which it was measured.
    ///
    /// - Parameter place: the visit whose folder holds the file.
    /// - Throws: if the file does not hold as many items as its result says.
    mutating func add(_ bytes: [UInt8], of recording: ResultBundle.Recording, at place: Int) throws {
        let isOverSteps = recording.start < visits[place].start
        var current = place
        lead(current, recording.recorder)
        course = expected[current]
        said = SignalSummary()
        if recording.taps != nil { tapsOfVisits[place].append([]) }
        try RecordedItem.read(bytes, of: recording.recorder, promised: recording.sampleCount) { item, file in
            if isOverSteps, let visit = visit(at: file.number(item.offset), upTo: place), visit != current {
                current = visit
                lead(current, recording.recorder)
                course = expected[current]
            }
            let before = samples.rows
            try add(item, of: file, by: recording.recorder, at: place)
            samplesOfVisits[current] += samples.rows - before
        }
    }

    /// Adds what the program of a step measured: numbers of the step, in an unknown unit.
    mutating func add(samplesOfProgramAt place: Int) {
        guard let program = visits[place].program else { return }
        lead(place, visits[place].identifier)
        for sample in program.samples {
            numbers.beginRow()
            numbers.text(sample.name)
            numbers.real(sample.offset)
            numbers.real(sample.value)
            numbers.missing()
            numbers.text("program")
            numbers.missing()
            numbers.endRow()
        }
    }

    /// Adds the beats that were detected in a waveform.
    mutating func addDetectedBeats(at place: Int) {
        guard let detected = hearts?.detected[place] else { return }
        lead(place, detected.recorder)
        for interval in detected.intervals {
            beats.beginRow()
            // To the microsecond, as the samples' times are.
            beats.real((interval.time * 1e6).rounded() / 1e6)
            beats.real((interval.length * 1e6).rounded() / 1e6)
            beats.text(detected.source)
            beats.boolean(hearts?.isReplaced[place] == false)
            beats.endRow()
        }
    }

    private mutating func lead(_ place: Int, _ recorder: String) {
        let visit = visits[place]
        stretch = RunHeart.Stretch(step: place, source: "", recorder: recorder)
        judged = nil
        samples.leadRows { table in
            table.visit(visit)
            table.text(recorder)
        }
        beats.leadRows(like: samples)
        numbers.leadRows(like: samples)
        ratings.leadRows(like: samples)
        taps.leadRows(like: samples)
        displays.leadRows(like: samples)
    }

    private func visit(at offset: Double?, upTo last: Int) -> Int? {
        guard let offset else { return nil }
        return visits[...last].lastIndex { $0.start <= offset } ?? 0
    }

    /// Turns an item into rows; nothing else does. The item has a value, a time and a source, as
    /// `RecordedItem.read` has checked.
    private mutating func add(
        _ item: RecordedItem, of file: JSONReader, by recorder: String, at place: Int
    ) throws {
        if said.source.isEmpty, !item.source.isEmpty { said.source = Array(file.bytes[item.source]) }
        switch item.kind {
        case .heartRate:
            try addSample(item, of: file)
            try addBeats(item, of: file)
        case .interval: try addBeat(item, of: file)
        case .number(let signal): try add(signal, item, of: file)
        case .rating: try addRating(item, of: file)
        case .tap: addTap(try item.tap(in: file, recorder: recorder), at: place)
        case .shown: addDisplay(try item.shown(in: file, recorder: recorder))
        case .other: otherItems += 1
        }
    }

    /// Whether an item's heart rate counts, and whether its intervals do.
    private mutating func counts(
        _ item: RecordedItem, of file: JSONReader
    ) throws -> (rates: Bool, intervals: Bool) {
        if let judged, file.bytes[item.source] == judged.source[...] {
            return (judged.rates, judged.intervals)
        }
        stretch.source = try JSON(parsing: file.bytes, in: item.source).text ?? ""
        let counts = hearts?.counts(stretch) ?? (true, true)
        judged = (Array(file.bytes[item.source]), counts.0, counts.1)
        return counts
    }

    private mutating func addSample(_ item: RecordedItem, of file: JSONReader) throws {
        guard let seconds = file.number(item.timestamp) else { throw WireFailure("a sample has no time") }
        samples.beginRow()
        samples.plain(file.bytes, item.offset)
        samples.time(time.write(Int((seconds * 1000).rounded())))
        samples.plain(file.bytes, item.value)
        try samples.string(file.bytes, item.source)
        if file.isNumber(item.quality) {
            samples.plain(file.bytes, item.quality)
            said.quality.sum += file.number(item.quality) ?? 0
            said.quality.count += 1
        } else {
            samples.missing()
        }
        addExpectation(item, of: file)
        samples.boolean(try counts(item, of: file).rates)
        samples.endRow()
    }

    /// Adds what was expected when a sample was measured, to a thousandth, and the sample's distance from it.
    private mutating func addExpectation(_ item: RecordedItem, of file: JSONReader) {
        let expected = file.number(item.offset).flatMap { course?.expected(at: $0) }
        let value = file.number(item.value)
        let rounded = { (number: Double) in (number * 1000).rounded() / 1000 }
        samples.real(expected.map { rounded($0.rate) })
        samples.real(expected.flatMap { expected in value.map { rounded($0 - expected.rate) } })
        samples.boolean(expected.flatMap { expected in value.map(expected.range.contains) })
    }

    /// Adds beats. The last interval ended when the sample was measured.
    private mutating func addBeats(_ item: RecordedItem, of file: JSONReader) throws {
        let written = try item.eachInterval(in: file)
        var ended: [Double] = []
        if written.count > 1 {
            guard var end = file.number(item.offset) else { throw WireFailure("an interval has no time") }
            for interval in written.reversed() {
                ended.append(end)
                guard let length = file.number(interval) else {
                    throw WireFailure("an interval is not a number")
                }
                end -= length
            }
        }
        for (index, interval) in written.enumerated() {
            beats.beginRow()
            if index == written.count - 1 {
                beats.plain(file.bytes, item.offset)
            } else {
                // To the nanosecond, as the bundle writes offsets.
                beats.real((ended[written.count - 1 - index] * 1e9).rounded() / 1e9)
            }
            beats.plain(file.bytes, interval)
            try beats.string(file.bytes, item.source)
            beats.boolean(try counts(item, of: file).intervals)
            beats.endRow()
        }
    }

    private mutating func add(_ signal: Signal, _ item: RecordedItem, of file: JSONReader) throws {
        numbers.beginRow()
        numbers.text(signal.name)
        numbers.plain(file.bytes, item.offset)
        numbers.plain(file.bytes, item.value)
        if item.unit.isEmpty { numbers.text(signal.unit) } else { try numbers.string(file.bytes, item.unit) }
        try numbers.string(file.bytes, item.source)
        if item.channel.isEmpty { numbers.missing() } else { try numbers.string(file.bytes, item.channel) }
        numbers.endRow()
    }

    private mutating func addRating(_ item: RecordedItem, of file: JSONReader) throws {
        ratings.beginRow()
        try ratings.string(file.bytes, item.dimension)
        try ratings.string(file.bytes, item.moment)
        ratings.plain(file.bytes, item.offset)
        ratings.plain(file.bytes, item.value)
        ratings.endRow()
    }

    private mutating func addTap(_ tap: ResultBundle.Tap, at place: Int) {
        taps.beginRow()
        taps.text(tap.key)
        taps.real(tap.runOffset)
        taps.real(tap.position)
        taps.integer(tap.beat)
        taps.real(tap.asynchrony)
        taps.real(tap.phase)
        taps.endRow()
        if let stretch = tapsOfVisits[place].indices.last { tapsOfVisits[place][stretch].append(.init(tap)) }
    }

    private mutating func addDisplay(_ display: ResultBundle.Display) {
        displays.beginRow()
        displays.text(display.display)
        displays.text(display.shown.name)
        displays.real(display.runOffset)
        displays.real(display.shown.value)
        displays.text(display.unit)
        displays.endRow()
    }

    private mutating func addBeat(_ item: RecordedItem, of file: JSONReader) throws {
        beats.beginRow()
        beats.plain(file.bytes, item.offset)
        beats.plain(file.bytes, item.value)
        try beats.string(file.bytes, item.source)
        beats.boolean(try counts(item, of: file).intervals)
        beats.endRow()
    }
}

extension TableText {
    fileprivate mutating func visit(_ visit: ResultBundle.Visit) {
        text(visit.path)
        integer(visit.visit)
        text(visit.clip?.identifier)
    }
}
