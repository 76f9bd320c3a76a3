import Results
import SessionPorts
import StudyModel
import Testing
import TextFormat

@testable import MonitorClient

/// What a run tells of the readings of its sources.
@Suite struct SourceConditionTests {
    /// The reports on readings that were measured at these moments.
    private func reports(
        at moments: [Double], delay: Double = 0.02, clock: ((Double) -> Double)? = nil, start: Double? = 1000,
        _ information: SourceInformation = SourceInformation()
    ) -> [JSON] {
        var condition = SourceCondition()
        condition.take(information)
        return moments.compactMap { moment in
            let instant = RunInstant.start.advanced(by: .seconds(moment))
            let sample = HeartRateSample(rate: 60, elapsed: clock.map { $0(moment) })
            return condition.take(
                Timed(sample, at: instant, arrival: instant.advanced(by: .seconds(delay))), start: start)
        }
    }

    private static let everySecond = (0...70).map(Double.init)

    @Test func `whole readings are told of once, and then once a minute`() {
        let told = reports(at: Self.everySecond)
        #expect(
            told == [
                ["gaps": 0, "gapSeconds": 0.0, "missing": 0, "leftOut": 0, "delay": 0.02],
                ["gaps": 0, "gapSeconds": 0.0, "missing": 0, "leftOut": 0, "delay": 0.02],
            ])
    }

    @Test func `readings that stay away are counted by the usual time between two, and gaps are longer`() {
        // Two single ones, and then nothing for 8 s.
        let moments = Self.everySecond.filter { ![20, 30].contains($0) && !(41...47).contains($0) }
        let last = reports(at: moments).last
        #expect(last?["missing"] == 9 && last?["gaps"] == 1 && last?["gapSeconds"] == 8.0)
        // A watch that measures every five minutes has no gap.
        let watch = reports(at: (0...30).map { Double($0) * 300 }).last
        #expect(watch?["missing"] == 0 && watch?["gaps"] == 0)
        let slow = reports(at: (0...30).filter { $0 != 20 }.map { Double($0) * 300 }).last
        #expect(slow?["missing"] == 1 && slow?["gaps"] == 0)
    }

    @Test func `what comes late fills no gap a second time`() {
        let moments = Self.everySecond.prefix(40) + [20.5, 21.5] + Self.everySecond.dropFirst(40)
        let last = reports(at: Array(moments)).last
        #expect(last?["missing"] == 0 && last?["gaps"] == 0)
    }

    @Test func `a battery and a clock of its own are told`() {
        let information = SourceInformation(battery: 87, origin: 1003.5)
        let last = reports(at: Self.everySecond, clock: { $0 }, information).last
        #expect(last?["battery"] == 87)
        #expect(last?["offset"]?.number == 3.5, "its clock is 3.5 s ahead")
        let fast = reports(at: Self.everySecond, clock: { $0 }, start: nil, information).last
        #expect(fast?["offset"] == nil, "the run's time is not that of the clock")
    }

    @Test func `which source it is, and how its clock stands, is told`() {
        var information = SourceInformation(
            device: "strap", identifier: "s1", host: "lab-2",
            clock: [.init(runOffset: 1, offset: 5, doubt: 1), .init(runOffset: 61, offset: 6, doubt: 0.25)])
        information.model = "H10"
        information.nominalRate = 4
        let last = reports(at: Self.everySecond, information).last
        #expect(last?["device"] == "strap" && last?["identifier"] == "s1" && last?["host"] == "lab-2")
        #expect(last?["model"] == "H10" && last?["firmware"] == nil && last?["nominalRate"] == 4.0)
        #expect(last?["clockOffset"] == 6.0 && last?["clockDoubt"] == 0.25)
    }

    @Test func `readings that came too fast are counted`() {
        var condition = SourceCondition()
        condition.leftOut = 12
        let told = Self.everySecond.compactMap { moment in
            let instant = RunInstant.start.advanced(by: .seconds(moment))
            return condition.take(Timed(HeartRateSample(rate: 60), at: instant, arrival: instant), start: nil)
        }
        #expect(told.first?["leftOut"] == 12)
    }
}
