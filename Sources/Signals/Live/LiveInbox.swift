import StudyModel
package import StudySession
import Synchronization

/// Readings from outside, put on the run's clock: doubles and what is older than the run left out.
///
/// A reading that bears a time was measured so long ago as that time says, if the sender's clock and ours agree
/// within a few seconds. Where they do not, the sender's clock is set by its freshest reading so far: none arrives
/// before it was measured.
struct LiveInbox {
    /// What is to be told of a source when a run is over.
    struct Tally: Hashable, Sendable {
        var doubled = 0
        var disordered = 0
        var tooOld = 0
        var malformed = 0
        /// Those that came too fast.
        var flooded = 0
        /// What was wrong with the first malformed one.
        var firstProblem: String?
        /// How far the sender's clock is ahead of ours, seconds, where that is more than it may be.
        var skew: Double?
    }

    /// Clocks of machines that are set by a network agree within this; a reading may be so much older, seconds.
    static let agreement = 2.0
    /// Readings that are remembered in order to know doubles.
    private static let memory = 100_000

    private(set) var tally = Tally()
    /// How old a reading may be and still prove nothing about clocks, seconds.
    private let usualAge: Double
    private var known: Set<LiveReading> = []
    private var order: [LiveReading] = []
    private var newest: Double?
    /// The least that arrivals were behind the times in readings so far, seconds of our wall clock.
    private var leastDelay: Double?
    private let begin: RunInstant
    /// When the first reading was measured, by the sender's clock, seconds since 1970.
    private var origin: Double?
    /// What was told of the sender so far.
    private var told = SourceInformation()

    /// - Parameters:
    ///   - begin: when the source began to listen.
    ///   - usualAge: how old the freshest reading of an answer can be, seconds.
    init(from begin: RunInstant, usualAge: Double) {
        self.begin = begin
        self.usualAge = usualAge
    }

    /// Takes readings that arrived together.
    ///
    /// - Parameters:
    ///   - now: the run's clock.
    ///   - wall: seconds since 1970, by our own clock.
    mutating func take(_ readings: [LiveReading], at now: RunInstant, wall: Double) -> [Timed<SignalValue>] {
        let fresh = readings.filter { isNew($0) }
        origin = origin ?? fresh.compactMap(\.time).min()
        for time in fresh.compactMap(\.time) { leastDelay = min(leastDelay ?? .infinity, wall - time) }
        let shift = shift()
        var samples: [Timed<SignalValue>] = []
        let inOrder = fresh.sorted { ($0.time ?? .infinity) < ($1.time ?? .infinity) }
        for reading in inOrder {
            let age = reading.time.map { max(wall - $0 - shift, 0) } ?? 0
            let instant = now.advanced(by: .zero - .nanoseconds(Int64((min(age, 1e8) * 1e9).rounded())))
            guard instant >= begin else {
                tally.tooOld += 1
                continue
            }
            if let time = reading.time {
                if let newest, time < newest { tally.disordered += 1 }
                newest = max(newest ?? time, time)
            }
            var values = reading.numbers
            if reading.hasHeart {
                values.append(
                    .heart(
                        HeartRateSample(
                            rate: reading.rate, rrIntervals: reading.rrIntervals,
                            sensorContact: reading.contact, elapsed: elapsed(of: reading))))
            }
            samples += values.map { Timed($0, at: instant, arrival: now) }
        }
        return samples
    }

    /// Seconds since the first reading, to the microsecond.
    private func elapsed(of reading: LiveReading) -> Double? {
        guard let time = reading.time, let origin else { return nil }
        return ((time - origin) * 1e6).rounded() / 1e6
    }

    /// What is new to tell of the sender, if anything.
    mutating func news() -> [SourceReport] {
        let known = SourceInformation(
            origin: origin, samplesBeforeRun: tally.tooOld > 0 ? tally.tooOld : nil)
        guard known != told else { return [] }
        told = known
        return [.told(known)]
    }

    /// Counts what is no reading.
    mutating func refuse(_ problem: LiveReading.Malformed) {
        tally.malformed += 1
        tally.firstProblem = tally.firstProblem ?? problem.text
    }

    /// Counts what came faster than a run can take it.
    mutating func leaveOut(_ count: Int) { tally.flooded += count }

    /// Readings without a time cannot be told apart: a heart may well beat at the same rate twice.
    private mutating func isNew(_ reading: LiveReading) -> Bool {
        guard reading.time != nil else { return true }
        guard known.insert(reading).inserted else {
            tally.doubled += 1
            return false
        }
        order.append(reading)
        if order.count > 2 * Self.memory {
            for old in order.prefix(Self.memory) { known.remove(old) }
            order.removeFirst(Self.memory)
        }
        return true
    }

    /// The correction of an arrival's delay: 0 if the clocks agree.
    private mutating func shift() -> Double {
        guard let leastDelay else { return 0 }
        guard leastDelay < -Self.agreement || leastDelay > usualAge + Self.agreement else {
            tally.skew = nil
            return 0
        }
        tally.skew = -leastDelay
        return leastDelay
    }
}

extension LiveInbox.Tally {
    /// What is worth telling, in words; empty where nothing is.
    var remarks: [String] {
        var remarks: [String] = []
        if doubled > 0 { remarks.append("readings that came twice and were kept once: \(doubled)") }
        if disordered > 0 { remarks.append("readings that came out of order: \(disordered)") }
        if tooOld > 0 { remarks.append("readings from before the run, counted and left out: \(tooOld)") }
        if let skew {
            let seconds = (abs(skew) * 10).rounded() / 10
            remarks.append(
                "the sender's clock is \(seconds) s \(skew > 0 ? "ahead of" : "behind") this machine's; "
                    + "its times were moved so that its latest reading is current")
        }
        if malformed > 0, let firstProblem {
            remarks.append("readings that were not understood: \(malformed); the first: \(firstProblem)")
        }
        if flooded > 0 {
            remarks.append(
                "readings that came faster than a run can process them, and were left out: \(flooded)")
        }
        return remarks
    }
}

/// What sources have to remark about themselves once a run is over.
package final class SourceRemarks: Sendable {
    private let remarks = Mutex<[String]>([])

    package init() {}

    /// Each remark, with the name of its source in front.
    package var all: [String] { remarks.withLock { $0 } }

    func add(_ texts: [String], of name: String) {
        remarks.withLock { $0 += texts.map { "\(name): \($0)" } }
    }

    /// Takes note of why a source was lost, once for each reason: the participant's screen does not say it.
    package func note(_ news: RunUpdate) {
        guard case .happened(.sourceChanged(let source, let problem?), let instant, _) = news,
            problem != .noPulse
        else { return }
        let remark = "\(source): no signal (\(problem))"
        let seconds = ((instant.offset / .seconds(1)) * 10).rounded() / 10
        remarks.withLock { remarks in
            guard !remarks.contains(where: { $0.hasPrefix(remark) }) else { return }
            remarks.append("\(remark), first at \(seconds) s")
        }
    }
}
