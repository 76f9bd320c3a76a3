import Hashing
import Physiology
import Results
import StudyEngine

/// What the simulated heart of the drill's own study really gave.
///
/// It is worked out from the seed alone, so nothing that the program recorded, wrote or recovered has a part in it.
struct TrueHeart: Sendable {
    /// Numbers that the source sent at once, or the interval of one beat.
    struct Reading: Hashable, Sendable {
        /// Seconds since the source began; of an interval, when its last beat was.
        var offset: Double
        /// When it arrived.
        var arrival: Double
        /// The heart rate and its intervals, or the interval alone.
        var values: [Double]
    }

    /// How long the steps that record last, seconds; as the study says.
    private static let durations = ["during": 8.0, "again": 2.0]
    /// The study's lines on the screen that begin these steps, and whether intervals are recorded there, too.
    private static let titles = [(line: ": During", hasBeats: true), (line: ": Again", hasBeats: false)]
    /// Nobody sits at a run of this study for longer, seconds.
    private static let longest = 120
    private static let tolerance = 0.001
    /// Between two readings, seconds.
    private static let longestSilence = 2.5

    /// What the recorders of the study should hold.
    private let truth: [String: [Reading]]
    private var rates: [Reading] { truth["heartRate"] ?? [] }
    private var beats: [Reading] { truth["beats"] ?? [] }

    init(of participant: String = "P01") {
        let stream = "entrain/1\ndrill\n1\n\(participant)\n1\nsource/heartRate"
        var random = SplitMix64(seed: SHA256.streamSeed(of: stream))
        let phase = Double(random.next() % 999) / 1000 + 0.0005
        let heart = SimulatedHeart.Parameters(
            restingRate: 64, maximumRate: 185, variability: 1, musicResponse: 1.5)
        let faults = SimulatedStrap.Faults(dropouts: 0, duplicates: 0, contactLoss: 0)
        var strap = SimulatedStrap(heart, faults: faults, using: &random)
        var (rates, beats): ([Reading], [Reading]) = ([], [])
        for second in 0..<Self.longest {
            let offset = phase + Double(second)
            for sent in strap.notifications(at: offset, effort: 0, musicEnergy: 0, using: &random) {
                let rate = sent.rate.map { [$0] } ?? []
                rates.append(Reading(offset: offset, arrival: offset, values: rate + sent.rrIntervals))
                for (index, interval) in sent.rrIntervals.enumerated() {
                    let later = sent.rrIntervals.dropFirst(index + 1).reduce(0, +)
                    beats.append(Reading(offset: offset - later, arrival: offset, values: [interval]))
                }
            }
        }
        truth = ["heartRate": rates, "beats": beats]
    }

    /// What is wrong with the recordings of a visit, in sentences.
    ///
    /// - Parameters:
    ///   - isWhole: whether every reading must be there that arrived while a recording went on.
    ///   - latestOrigin: how long after the run the source may have begun, seconds.
    func problems(
        in visit: ResultBundle.Visit, of bundle: ResultBundle, isWhole: Bool, latestOrigin: Double
    ) -> [String] {
        visit.recordings.flatMap { recording -> [String] in
            guard let truth = truth[recording.recorder] else { return [] }
            let name = "'\(visit.identifier)' of recorder '\(recording.recorder)'"
            guard let found = Self.readings(in: recording, of: bundle) else {
                return ["\(name) cannot be read"]
            }
            var problems: [String] = []
            if isWhole, !visit.isSkipped, let planned = Self.durations[visit.identifier],
                recording.end - recording.start < planned - Self.tolerance
            {
                problems.append("\(name) lasts \(recording.end - recording.start) of \(planned) s")
            }
            guard !found.isEmpty else {
                let isLost = isWhole && recording.end - recording.start > Self.longestSilence
                return problems + (isLost ? ["\(name) is empty"] : [])
            }
            guard let shift = shift(of: found, in: truth, upTo: latestOrigin) else {
                return problems + ["\(name) holds readings that the heart never gave: \(found.map(\.values))"]
            }
            let within =
                recording.start + Self.tolerance..<max(recording.start + Self.tolerance, recording.end)
            let lost = truth.filter { reading in
                within.contains(reading.offset + shift)
                    && reading.arrival + shift < recording.end - Self.tolerance
                    && !found.contains { Self.isSame($0, reading, shift) }
            }
            if isWhole, let first = lost.first {
                problems.append(
                    "\(name) lacks \(lost.count) readings of the heart, from \(first.offset) s on")
            }
            return problems
        }
    }

    /// The readings that must be in the result of a run whose power failed, or that was killed, at `end`: all that
    /// had arrived a second before, while a step was on show that records them.
    ///
    /// - Parameters:
    ///   - said: the lines that the screen had said until then, with their times.
    ///   - speed: seconds of the run per second.
    func demanded(said: [(time: Double, line: Substring)], until end: Double, speed: Double) -> [Reading] {
        let steps = said.filter { $0.line.hasPrefix("Step ") || $0.line.hasPrefix("Saving. ") }
        guard let start = steps.first?.time else { return [] }
        var demanded: [Reading] = []
        for (index, step) in steps.enumerated() {
            guard let title = Self.titles.first(where: { step.line.hasSuffix($0.line) }) else { continue }
            let next = steps.dropFirst(index + 1).first?.time ?? end
            // A line is on the screen a moment after its step has begun.
            let period = step.time...max(step.time, min(end - 1, next - 0.1))
            let arrived = { (reading: Reading) in
                [reading.offset, reading.arrival].allSatisfy { period.contains(start + $0 / speed) }
            }
            demanded += rates.filter(arrived) + (title.hasBeats ? beats.filter(arrived) : [])
        }
        return demanded
    }

    /// Which of the readings are in no recording of a bundle.
    func missing(_ demanded: [Reading], from bundle: ResultBundle, latestOrigin: Double) -> [Reading] {
        let found = bundle.visits.flatMap(\.recordings).flatMap { Self.readings(in: $0, of: bundle) ?? [] }
        return demanded.filter { reading in
            !found.contains { item in
                item.values == reading.values
                    && (-Self.tolerance...latestOrigin).contains(item.offset - reading.offset)
            }
        }
    }

    private static func readings(in recording: ResultBundle.Recording, of bundle: ResultBundle) -> [Reading]?
    {
        guard let items = try? bundle.recordedItems(in: recording) else { return nil }
        return items.heartRates.map {
            Reading(offset: $0.runOffset, arrival: $0.arrivalOffset, values: [$0.value] + $0.rrIntervals)
        } + items.intervals.map { Reading(offset: $0.runOffset, arrival: $0.runOffset, values: [$0.value]) }
    }

    /// How long after the run's start the source began, if all that was found are its readings, each once and in order.
    private func shift(of found: [Reading], in truth: [Reading], upTo latest: Double) -> Double? {
        guard let first = found.first else { return 0 }
        let shifts = truth.map { first.offset - $0.offset }
        return shifts.first { shift in
            guard (-Self.tolerance...latest + Self.tolerance).contains(shift) else { return false }
            var rest = truth[...]
            return found.allSatisfy { item in
                guard let place = rest.firstIndex(where: { Self.isSame(item, $0, shift) }) else {
                    return false
                }
                rest = rest[(place + 1)...]
                return true
            }
        }
    }

    private static func isSame(_ item: Reading, _ reading: Reading, _ shift: Double) -> Bool {
        item.values == reading.values && abs(item.offset - reading.offset - shift) < tolerance
    }
}
