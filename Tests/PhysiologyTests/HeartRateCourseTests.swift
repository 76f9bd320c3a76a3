import StudyTesting
import Testing

@testable import Physiology

@Suite struct HeartRateCourseTests {
    private func beats(_ span: ClosedRange<Double>, _ rate: Double) -> [HeartRateMean.Interval] {
        stride(from: span.lowerBound + 60 / rate, through: span.upperBound, by: 60 / rate).map {
            ($0, 60 / rate)
        }
    }

    private func course(
        rest: HeartRateResponse.Measured, clip: HeartRateResponse.Measured, in span: ClosedRange<Double>
    ) throws -> HeartRateCourse {
        let response = try HeartRateResponse(
            rest: rest, restEnd: span.lowerBound, stretch: clip, start: span.lowerBound)
        return HeartRateCourse(
            of: response,
            .init(rates: rest.rates + clip.rates, intervals: rest.intervals + clip.intervals), in: span)
    }

    @Test func `a heart that falls and comes back does so second by second`() throws {
        let rest = HeartRateResponse.Measured(rates: [], intervals: beats(60...120, 60))
        // 60 a minute, then six beats of 50, then 60 again.
        let slow = (1...5).map { (time: 120 + 1.2 * Double($0), length: 1.2) }
        let after = beats(126...150, 60)
        let found = try course(rest: rest, clip: .init(rates: [], intervals: slow + after), in: 120...150)
        #expect(found.changes.count == 30)
        for (second, change) in found.changes.enumerated() {
            let change = try #require(change)
            #expect(abs(change - (second < 6 ? -10 : 0)) < 1e-9, "second \(second): \(change)")
        }
        #expect(found.notifiedChanges.allSatisfy { $0 == nil })
    }

    @Test func `what a moment evokes is found, though a strap tells of its beats late`() throws {
        let slow = (1...5).map { (time: 120 + 1.2 * Double($0), length: 1.2) }
        let heart = beats(60...120, 60) + slow + beats(126...160, 60)
        let exact = try #require(HeartRateCourse.evoked(at: 120, by: heart))
        #expect(abs(exact + 10) < 1e-9)
        let still = try #require(HeartRateCourse.evoked(at: 100, by: heart))
        #expect(abs(still) < 1e-9)
        // As messages that come at fixed moments, each after what it tells.
        let told = heart.map { (time: 0.35 + $0.time.rounded(.up), length: $0.length) }
        let late = try #require(HeartRateCourse.evoked(at: 120.35, by: told))
        #expect(abs(late + 10) < 1e-9)
        // Where beats are missing, nothing is known.
        let holed = heart.filter { !(121...123.5).contains($0.time) }
        #expect(HeartRateCourse.evoked(at: 120, by: holed) == nil)
        #expect(
            HeartRateCourse.evoked(at: 61, by: heart) == nil
                && HeartRateCourse.evoked(at: 157, by: heart) == nil)
    }

    @Test func `a missed beat leaves no trace, and the beats behind it stay where they were`() throws {
        let rest = HeartRateResponse.Measured(rates: [], intervals: beats(60...120, 60))
        var clip = beats(120...150, 60)
        clip[10] = (clip[10].time, 2)
        clip.remove(at: 9)
        let found = try course(rest: rest, clip: .init(rates: [], intervals: clip), in: 120...150)
        #expect(found.changes.allSatisfy { abs($0 ?? .infinity) < 1e-9 }, "\(found.changes)")
    }

    @Test func `seconds of which less than half is known have no rate`() throws {
        let rest = HeartRateResponse.Measured(rates: (60...119).map { (Double($0) + 0.5, 60) })
        let rates = (120..<150).map { (time: Double($0) + 0.5, rate: 66.0) }
        // A gap of 10 s: 2.5 s of it are known on either side.
        let kept = rates.filter { $0.time < 130 || $0.time > 140 }
        let found = try course(rest: rest, clip: .init(rates: kept), in: 120...150)
        #expect(found.changes == found.notifiedChanges)
        let missing = found.changes.indices.filter { found.changes[$0] == nil }
        #expect(missing == Array(12..<18))
        #expect(found.changes[0] == 6 && found.changes[20] == 6)
    }

    @Test(arguments: 0..<40)
    func `equals an integral over small steps`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (held, time) = ([HeartRateCourse.Held](), -3.0)
        while time < 20 {
            let length = Double.random(in: 0.25...1.7, using: &random)
            if Double.random(in: 0...1, using: &random) < 0.85 {
                held.append((time, time + length, Double.random(in: 40...180, using: &random)))
            }
            time += length
        }
        let end = Double.random(in: 1...22, using: &random)
        let means = HeartRateCourse.means(of: held, in: 0...end)
        #expect(means.count == Int(end))
        let step = 1 / 4096.0
        for second in means.indices {
            var (sum, known) = (0.0, 0.0)
            for part in 0..<4096 {
                let moment = Double(second) + (Double(part) + 0.5) * step
                guard let rate = held.first(where: { $0.start <= moment && moment < $0.end })?.rate else {
                    continue
                }
                (sum, known) = (sum + rate, known + 1)
            }
            let isClear = abs(known * step - HeartRateCourse.fewestKnown) > 0.002
            guard isClear else { continue }
            #expect((means[second] != nil) == (known * step > HeartRateCourse.fewestKnown))
            if let mean = means[second] { #expect(abs(mean - sum / known) < 0.15, "second \(second)") }
        }
    }

    @Test func `no more than the first hour is followed`() {
        #expect(HeartRateCourse.means(of: [], in: 0...1e9).count == 3600)
        #expect(HeartRateCourse.means(of: [], in: 5...5).isEmpty)
    }
}
