import StudyTesting
import Testing

@testable import Physiology

/// The recordings that are shared beside the project, with what a chest strap said meanwhile.
private enum Recording {
    static func lines(_ name: String) -> [[Double]]? {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        guard let bytes = readFile("/\(root)/shared/data/\(name)") else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let numbers = line.split(whereSeparator: { ", ".contains($0) }).map { Double($0) }
            return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
        }
    }

    static let isHere = lines("camera/welltory/subject_01/RR.txt") != nil
    static let subjects = ["01", "03", "05", "07", "09", "11", "13", "15", "17", "19", "21"]

    static func finger(_ subject: String) throws -> PulseTrace {
        let rows = try #require(lines("camera/welltory/subject_\(subject)/PPG.csv"))
        return PulseTrace(
            times: rows.map { $0[0] / 1_000 }, red: rows.map { $0[1] }, green: rows.map { $0[2] },
            blue: rows.map { $0[3] })
    }

    /// The strap's beats in seconds, on the clock of `beats`.
    static func strap(_ subject: String, alignedTo beats: [Double]) throws -> [Double] {
        let rows = try #require(lines("camera/welltory/subject_\(subject)/RR.txt"))
        var truth = [0.0]
        for interval in rows.flatMap({ $0 }) { truth.append(truth[truth.count - 1] + interval / 1_000) }
        let misfit = { (offset: Double) in
            var nearest = 0
            var sum = 0.0
            for beat in truth {
                while nearest + 1 < beats.count
                    && abs(beats[nearest + 1] - beat - offset) <= abs(beats[nearest] - beat - offset)
                { nearest += 1 }
                sum += min(0.15, abs(beats[nearest] - beat - offset))
            }
            return sum
        }
        let offsets = (-250...250).map { Double($0) * 0.02 }
        let misfits = offsets.map(misfit)
        let best = offsets[misfits.indices.reduce(0) { misfits[$1] < misfits[$0] ? $1 : $0 }]
        let rest = pairs(truth.map { $0 + best }, beats).map { beats[$0.1] - truth[$0.0] }.sorted()
        return truth.map { $0 + rest[rest.count / 2] }
    }

    /// Beats of both that are at most 150 ms apart, each taken once.
    static func pairs(_ truth: [Double], _ beats: [Double]) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var next = 0
        for (index, beat) in truth.enumerated() {
            while next < beats.count && beats[next] < beat - 0.15 { next += 1 }
            guard next < beats.count, beats[next] <= beat + 0.15 else { continue }
            if next + 1 < beats.count, abs(beats[next + 1] - beat) < abs(beats[next] - beat) { next += 1 }
            pairs.append((index, next))
            next += 1
        }
        return pairs
    }

    /// How far the windows that the strap covers are from it, in beats per minute.
    static func errors(_ windows: [Pulse.Window], _ truth: [Double]) -> [(error: Double?, isReliable: Bool)] {
        let intervals = InterBeatIntervals.clean(truth)
        return windows.filter { $0.start >= truth[0] && $0.end <= truth[truth.count - 1] }.map { window in
            let inside = intervals.filter { $0.start >= window.start && $0.end <= window.end }
            return (
                window.bpm.map { abs($0 - 60 / average(inside.map(\.length))) }, window.reliable
            )
        }
    }
}

@Suite(.enabled(if: Recording.isHere, "the shared recordings are not on this machine"))
struct PulseRecordingTests {
    @Test func `agrees with a chest strap, window by window`() throws {
        var answers: [(error: Double?, isReliable: Bool)] = []
        for subject in Recording.subjects {
            let pulse = PulseDetector().detect(in: try Recording.finger(subject))
            answers += Recording.errors(
                pulse.windows, try Recording.strap(subject, alignedTo: pulse.beats))
        }
        let errors = answers.compactMap(\.error)
        #expect(answers.count > 380)
        #expect(Double(answers.count - errors.count) <= 0.01 * Double(answers.count))
        #expect(average(errors) <= 0.40)
        #expect(Double(errors.count { $0 <= 5 }) >= 0.99 * Double(errors.count))
        let believed = answers.filter(\.isReliable).compactMap(\.error)
        #expect(Double(believed.count) >= 0.75 * Double(answers.count))
        #expect(average(believed) <= 0.20)
    }

    @Test func `agrees with a chest strap, beat by beat`() throws {
        var (hits, found, expected) = (0, 0, 0)
        var intervalErrors: [Double] = []
        var variabilityErrors: [Double] = []
        for subject in Recording.subjects {
            let beats = PulseDetector().detect(in: try Recording.finger(subject)).beats
            let first = try #require(beats.first) - 0.15
            let last = try #require(beats.last) + 0.15
            let truth = try Recording.strap(subject, alignedTo: beats).filter { first <= $0 && $0 <= last }
            let pairs = Recording.pairs(truth, beats)
            hits += pairs.count
            found += beats.count { truth[0] - 0.15 <= $0 && $0 <= truth[truth.count - 1] + 0.15 }
            expected += truth.count
            let good = [truth, beats].map { Set(InterBeatIntervals.clean($0).map(\.start)) }
            let both = zip(pairs, pairs.dropFirst()).filter { $1.0 == $0.0 + 1 && $1.1 == $0.1 + 1 }
                .filter { first, _ in good[0].contains(truth[first.0]) && good[1].contains(beats[first.1]) }
                .map { (at: $0.0, own: beats[$1.1] - beats[$0.1], strap: truth[$1.0] - truth[$0.0]) }
            intervalErrors += both.map { abs($0.own - $0.strap) }
            let steps = zip(both, both.dropFirst()).filter { $1.at == $0.at + 1 }
            let own = average(steps.map { ($1.own - $0.own) * ($1.own - $0.own) }).squareRoot()
            let strap = average(steps.map { ($1.strap - $0.strap) * ($1.strap - $0.strap) }).squareRoot()
            variabilityErrors.append(abs(own - strap))
        }
        #expect(2 * Double(hits) / Double(found + expected) >= 0.96)
        #expect(average(intervalErrors) <= 0.012)
        #expect(variabilityErrors.sorted()[variabilityErrors.count / 2] <= 0.007)
    }

    @Test func `agrees with a chest strap as it goes`() throws {
        var errors: [Double] = []
        for subject in Recording.subjects {
            let trace = try Recording.finger(subject)
            let truth = try Recording.strap(subject, alignedTo: PulseDetector().detect(in: trace).beats)
            let pulse = PulseDetector().detectLive(in: trace)
            errors += Recording.errors(pulse.windows, truth).compactMap(\.error)
        }
        #expect(errors.count > 380)
        #expect(average(errors) <= 1.2)
        #expect(Double(errors.count { $0 <= 5 }) >= 0.95 * Double(errors.count))
    }

    @Test func `counts the twenty-four beats of a finger clip`() throws {
        let rows = try #require(Recording.lines("ppg/heartpy_data1_100Hz.csv"))
        let pulse = PulseDetector().detect(in: PulseTrace(signal: rows.map { $0[0] }, rate: 100))
        #expect(pulse.beats.count == 24)
        #expect(abs(60 / average(pulse.intervals.map(\.length)) - 58.9) <= 0.5)
        #expect(pulse.windows.allSatisfy { $0.reliable })
    }

    @Test func `finds the rate of a noisy finger clip`() throws {
        let rows = try #require(Recording.lines("ppg/heartpy_data2_mstimer.csv"))
        let trace = PulseTrace(times: rows.map { $0[0] / 1_000 }, signal: rows.map { $0[1] })
        let intervals = PulseDetector().detect(in: trace).intervals.map(\.length)
        #expect((62.4...64.5).contains(60 / average(intervals)))
    }
}
