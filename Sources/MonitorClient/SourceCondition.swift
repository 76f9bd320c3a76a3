import MonitorInterface
import Results
import StudyModel
import TextFormat

/// What the readings of a source are like while a run goes on. A value: readings in, reports out.
struct SourceCondition: Sendable {
    /// Readings that came faster than the run can process them.
    var leftOut = 0
    /// What the source said about itself.
    private var information = SourceInformation()
    /// Times without readings, and how long they are together, s.
    private var (gaps, gapSeconds) = (0, 0.0)
    /// Readings that did not come, judged by the usual time between two.
    private var missing = 0
    /// When the last reading was measured.
    private var last: RunInstant?
    /// Seconds between readings, from measurement to arrival, and by which the source's own clock is ahead of ours.
    private var spacings = Recent()
    private var delays = Recent()
    private var offsets = Recent()
    private var told: (JSON, at: RunInstant)?

    /// Seconds between two reports, and between two that differ in nothing but delays.
    private static let (often, seldom) = (10.0, 60.0)
    /// A reading is missing if so many times the usual time has passed, and a gap begins after so many.
    private static let (late, long) = (1.75, 2.5)

    mutating func take(_ information: SourceInformation) {
        self.information.update(with: information)
        self.information.clock = self.information.clock.suffix(1)
    }

    /// Takes a reading.
    ///
    /// - Parameter start: when the run began, by this machine's clock, seconds since 1970; `nil` if the run's time is
    ///   not that of the clock.
    /// - Returns: what is to be told now, if anything is.
    mutating func take(_ sample: Timed<HeartRateSample>, start: Double?) -> JSON? {
        if let last, sample.instant > last { count(spacing: last.duration(to: sample.instant).seconds) }
        last = max(last ?? sample.instant, sample.instant)
        delays.add(sample.instant.duration(to: sample.arrival).seconds)
        if let origin = information.origin, let elapsed = sample.value.elapsed, let start {
            offsets.add(origin + elapsed - start - sample.instant.offset.seconds)
        }
        return report(at: sample.arrival)
    }

    private mutating func count(spacing: Double) {
        if let usual = spacings.median(ofAtLeast: 10) {
            if spacing > Self.late * usual { missing += Int((spacing / usual).rounded()) - 1 }
            if spacing > max(MonitorLimits.gap, Self.long * usual) {
                gaps += 1
                gapSeconds += spacing
            }
        }
        spacings.add(spacing)
    }

    private mutating func report(at now: RunInstant) -> JSON? {
        guard let told else {
            // The first report comes when there is something to say.
            self.told = (.null, now)
            return nil
        }
        let since = told.at.duration(to: now).seconds
        guard since >= Self.often else { return nil }
        let counts = counts
        let isNew = told.0 != counts
        guard isNew || since >= Self.seldom else { return nil }
        self.told = (counts, now)
        var object = counts.object ?? JSON.Object([:])
        object["delay"] = delays.median(ofAtLeast: 1).map { .real(Self.milliseconds($0)) }
        object["offset"] = offsets.median(ofAtLeast: 1).map { .real(Self.milliseconds($0)) }
        return .object(object)
    }

    private var counts: JSON {
        var object = JSON.Object([
            "gaps": .integer(gaps), "gapSeconds": .real((gapSeconds * 10).rounded() / 10),
            "missing": .integer(missing), "leftOut": .integer(leftOut),
        ])
        object["battery"] = information.battery.map { .integer($0) }
        for (key, name) in [
            ("device", information.device), ("identifier", information.identifier),
            ("host", information.host), ("manufacturer", information.manufacturer),
            ("model", information.model), ("firmware", information.firmware),
        ] {
            object[key] = name.map { .text($0) }
        }
        object["nominalRate"] = information.nominalRate.map { .real($0) }
        if let clock = information.clock.last {
            object["clockOffset"] = .real(clock.offset)
            object["clockDoubt"] = .real(clock.doubt)
        }
        return .object(object)
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}

/// The last numbers of a series.
private struct Recent: Hashable, Sendable {
    private var numbers: [Double] = []
    private var next = 0

    private static let count = 31

    mutating func add(_ number: Double) {
        if numbers.count < Self.count {
            numbers.append(number)
        } else {
            numbers[next] = number
            next = (next + 1) % Self.count
        }
    }

    /// The median; `nil` of fewer numbers.
    func median(ofAtLeast count: Int) -> Double? {
        guard numbers.count >= count else { return nil }
        return numbers.sorted()[numbers.count / 2]
    }
}

extension RunQuality {
    /// The same figures as everywhere, with whether a limit of the study is missed.
    func told(isPoor: Bool?) -> JSON {
        var figures = members
        figures["poor"] = isPoor.map { .boolean($0) }
        return .members(figures)
    }
}
