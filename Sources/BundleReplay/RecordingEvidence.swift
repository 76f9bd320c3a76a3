import Hashing
import Results
import StudyModel
import TextFormat

/// What a recorder's file itself says about its count, times, gaps and coverage, to be compared with what its result says.
struct RecordingEvidence {
    private let file: FileResult
    private let configuration: RecorderConfiguration
    private let wallClock: WallClock
    /// When the readings were taken, in order.
    private var readings: [RunInstant] = []
    /// Readings that came after the recording's end.
    private var late = 0
    /// The first item whose time contradicts the recording or its own date, by its number in the file.
    private var misplaced: Int?

    /// An end of an interval may lie before the recording whose reading told it.
    private static let intervalReach = Duration.seconds(60)
    /// Dates are written to the microsecond.
    private static let precision = Duration.microseconds(5)
    /// A microphone's frames do not begin and end with the recording to the frame.
    private static let soundTolerance = 0.02
    /// What a file of sound holds.
    private var sound: HeldSound?

    /// The times and values of all items, as they are written.
    private var samples: [UInt8] = []

    /// Fewer readings may be the same by chance.
    private static let fewestOfACopy = 10

    /// What contradicts the result of a file, and what tells its samples from those of all other files; `nil` if there are
    /// too few.
    ///
    /// - Throws: if the file cannot be read, or holds another number of samples than the result promises.
    static func examine(
        _ file: FileResult, _ recording: ResultBundle.Recording, as configuration: RecorderConfiguration,
        in bundle: ResultBundle, startedAt wallClock: WallClock
    ) throws -> (contradictions: [String], digest: String?) {
        var evidence = RecordingEvidence(file: file, configuration: configuration, wallClock: wallClock)
        if recording.holdsColumns {
            evidence.readings = try bundle.waves(in: recording).offsets.map(Self.instant)
        } else if recording.holdsItems {
            let bytes = try bundle.contents(of: recording)
            var number = 0
            try RecordedItem.read(bytes, of: recording.name, promised: recording.sampleCount) {
                item, reader in
                number += 1
                evidence.take(item, number, in: reader)
            }
        }
        if configuration.signal.form == .sound, let listed = bundle.manifest.file(named: file.fileName) {
            evidence.sound = HeldSound(decoding: "\(bundle.path)/\(listed.path)")
        }
        let digest = recording.holdsItems ? SHA256.hexadecimal(of: evidence.samples) : file.sha256
        return (
            evidence.contradictions(in: recording),
            evidence.readings.count < fewestOfACopy ? nil : digest
        )
    }

    private init(file: FileResult, configuration: RecorderConfiguration, wallClock: WallClock) {
        (self.file, self.configuration, self.wallClock) = (file, configuration, wallClock)
    }

    private static func instant(_ seconds: Double) -> RunInstant {
        .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    private mutating func take(_ item: RecordedItem, _ number: Int, in reader: JSONReader) {
        guard let since1970 = reader.number(item.timestamp) else { return }
        let offset = reader.number(item.offset)
        let told = offset ?? since1970 - wallClock.secondsSince1970(of: .start)
        // A forged file may have any number.
        guard abs(told) < 1e8 else {
            misplaced = misplaced ?? number
            return
        }
        let instant = Self.instant(told)
        samples += reader.bytes[item.offset]
        samples += reader.bytes[item.value]
        let reach = item.kind == .interval ? Self.intervalReach : Self.precision
        let isWithin =
            file.start <= instant.advanced(by: reach)
            && instant <= file.end.advanced(by: item.kind == .interval ? reach : Self.precision)
        let isDated =
            abs(wallClock.secondsSince1970(of: instant) - since1970) < 5e-6
            && isDate(item.endDate, of: instant, in: reader)
            && isDate(
                item.startDate, of: instant.advanced(by: .zero - length(of: item, in: reader)), in: reader)
        if !isWithin || !isDated { misplaced = misplaced ?? number }
        if item.hasContact(in: reader), readings.last != instant { readings.append(instant) }
        if let arrival = reader.number(item.arrival), Self.instant(arrival) > file.end { late += 1 }
    }

    /// Whether a date is that of a moment; an item that has none is not wrong.
    private func isDate(_ written: Range<Int>, of instant: RunInstant, in reader: JSONReader) -> Bool {
        guard !written.isEmpty else { return true }
        var date = [UInt8(ascii: "\"")]
        wallClock.appendDate(of: instant, to: &date)
        return reader.bytes[written].elementsEqual(date + [UInt8(ascii: "\"")])
    }

    private func length(of item: RecordedItem, in reader: JSONReader) -> Duration {
        guard item.kind == .interval, let seconds = reader.number(item.value), abs(seconds) < 1e6 else {
            return .zero
        }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    private func contradictions(in recording: ResultBundle.Recording) -> [String] {
        var found: [String] = []
        if let misplaced { found.append("item \(misplaced) is not of the time of its recording") }
        if let last = readings.last, recording.holdsColumns,
            readings[0] < file.start || last > file.end
        {
            found.append("it has samples that are not of the time of its recording")
        }
        let form = configuration.signal.form
        switch form {
        case .rate, .number:
            found += wrongGaps
            if late != file.lateSamples {
                found.append("\(late) of its samples came late, and its result says \(file.lateSamples)")
            }
        case .wave, .rating: found += wrongGaps
        case .sound: found += soundContradictions
        case .intervals, .picture, .act, .position, .tap, .display: break
        }
        let share = share(
            hasSamples: [.intervals, .picture].contains(form) ? recording.sampleCount > 0 : !readings.isEmpty)
        let tolerance = form == .sound ? Self.soundTolerance / max(length.seconds, 0.02) : 1e-9
        if abs(share - file.coverage) > tolerance {
            found.append(
                "its gaps leave \(plainNumber(share * 100)) % covered, and its result says "
                    + "\(plainNumber(file.coverage * 100)) %")
        }
        return found
    }

    /// What contradicts the frames that are in the file. The gap at the beginning of a file with sound is silence in the
    /// file; all others are missing from its end.
    private var soundContradictions: [String] {
        guard let sound, sound.frames == file.sampleCount else {
            let held = sound.map { counted(Int($0.frames), "frame") } ?? "no sound"
            return file.sampleCount == 0 && sound == nil
                ? [] : ["it holds \(held), and its result says \(counted(file.sampleCount, "frame"))"]
        }
        let told = file.gaps.filter { $0.from > file.start || sound.frames == 0 }
            .reduce(0) { $0 + $1.from.duration(to: $1.to).seconds }
        let missing = max(0, length.seconds - Double(sound.frames) / sound.rate)
        guard abs(missing - told) > Self.soundTolerance else { return [] }
        return [
            "it lacks \(plainNumber(missing)) s of the sound at its end, and its result tells of "
                + "\(plainNumber(told)) s"
        ]
    }

    /// How long the recording was to be.
    private var length: Duration {
        let due = file.gaps.last { $0.reason == FileResult.Gap.ended }?.to
        return file.start.duration(to: max(file.end, due ?? file.end))
    }

    /// The share of the time that the gaps leave, as the result should say it.
    private func share(hasSamples: Bool) -> Double {
        let isMeasured = configuration.signal.isMeasured || configuration.rating != nil
        guard length > .zero else { return configuration.signal.form == .sound || !isMeasured ? 1 : 0 }
        guard hasSamples || !isMeasured else { return 0 }
        return 1 - file.gaps.reduce(0) { $0 + $1.from.duration(to: $1.to) / length }
    }

    /// Gaps that the times of the samples show and the result does not tell, or the reverse.
    private var wrongGaps: [String] {
        let usual = configuration.longestSilence
        let found = RecordingStatistics(
            of: file.start..<max(file.start, file.end), samples: readings,
            longestSilence: file.waves?.layout.longestSilence(otherwise: usual) ?? usual
        ).gaps
        // A flood is a gap although there are samples, and swallows those beside it.
        let told = file.gaps.filter { !["flood", FileResult.Gap.ended].contains($0.reason) }
        let hasFloods = file.gaps.contains { $0.reason == "flood" }
        let untold = found.first { gap in
            !file.gaps.contains {
                $0.from <= gap.from.advanced(by: Self.precision)
                    && gap.to <= $0.to.advanced(by: Self.precision)
            }
        }
        if let untold {
            return [
                "it has no sample from \(untold.from.offset.seconds) s to \(untold.to.offset.seconds) s, which its result does not say"
            ]
        }
        guard !hasFloods, told.count != found.count else { return [] }
        return ["its result tells of \(counted(told.count, "gap")), and its samples show \(found.count)"]
    }
}
