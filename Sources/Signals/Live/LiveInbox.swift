package import SessionPorts
import StudyModel
import Synchronization
import TextFormat

/// Readings from outside, converted to the run's clock, without duplicates and without readings from before the
/// run.
///
/// If the sender's clock and ours agree within a few seconds, the time in a reading is used as it is. If they do
/// not, the sender's clock is corrected by its most recent reading so far, because no reading arrives before it was
/// measured.
struct LiveInbox {
    /// What to report about a source at the end of a run.
    struct Tally: Hashable, Sendable {
        var doubled = 0
        var disordered = 0
        var tooOld = 0
        var malformed = 0
        /// Readings that came too fast.
        var flooded = 0
        /// What was wrong with the first malformed one.
        var firstProblem: String?
        /// How long after it was measured a reading came at most, by the sender's corrected clock, seconds.
        var oldest = 0.0
        /// How far the sender's clock is ahead of ours, seconds, if that is more than it may be.
        var skew: Double?
    }

    /// Clocks that a network synchronises agree within this time, seconds. A reading may be older by this much.
    static let agreement = 2.0
    /// How many readings are remembered to recognise duplicates.
    private static let memory = 100_000

    private(set) var tally = Tally()
    /// How old a reading can be without proving anything about clocks, seconds.
    private let usualAge: Double
    private var known: Set<LiveReading> = []
    private var order: [LiveReading] = []
    private var newest: Double?
    /// The smallest delay of an arrival after the time in its reading so far, seconds of our wall clock.
    private var leastDelay: Double?
    private let begin: RunInstant
    /// When the first reading was measured, by the sender's clock, seconds since 1970.
    private var origin: Double?
    /// What has been reported about the sender so far.
    private var told = SourceInformation()

    /// - Parameters:
    ///   - begin: when the source began to listen.
    ///   - usualAge: how old the most recent reading of an answer can be, seconds.
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
            tally.oldest = max(tally.oldest, age)
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
            samples += reading.waves.compactMap {
                $0.sample(from: reading.time == nil ? nil : instant, arrival: now)
            }
        }
        return samples
    }

    /// Seconds since the first reading, to the microsecond.
    private func elapsed(of reading: LiveReading) -> Double? {
        guard let time = reading.time, let origin else { return nil }
        return ((time - origin) * 1e6).rounded() / 1e6
    }

    /// New information about the sender, if there is any.
    mutating func news() -> [SourceReport] {
        let known = SourceInformation(
            origin: origin, samplesBeforeRun: tally.tooOld > 0 ? tally.tooOld : nil)
        guard known != told else { return [] }
        told = known
        return [.told(known)]
    }

    /// Counts an invalid reading.
    mutating func refuse(_ problem: LiveReading.Malformed) {
        tally.malformed += 1
        tally.firstProblem = tally.firstProblem ?? problem.text
    }

    /// Counts readings that came faster than a run can process them.
    mutating func leaveOut(_ count: Int) { tally.flooded += count }

    /// Readings without a time cannot be told apart, because a heart may well beat at the same rate twice.
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

extension Clock where Instant == RunInstant {
    /// Now by this clock and, at the same moment, by the wall clock. If the machine did something else in between, both are
    /// read again.
    func now(beside wallClock: () -> Double) -> (now: RunInstant, wall: Double) {
        for _ in 0..<4 {
            let (before, now, after) = (wallClock(), now, wallClock())
            if (0..<0.001).contains(after - before) { return (now, before) }
        }
        return (now, wallClock())
    }
}

extension LiveInbox.Tally {
    /// A reading that comes later than this is told, seconds.
    private static let lateAge = 30.0

    /// Remarks in words; empty if there are none.
    var remarks: [String] {
        var remarks: [String] = []
        if oldest > Self.lateAge {
            remarks.append(
                "by the sender's clock a reading came \(TextFormat.seconds(oldest)) after it was measured: it was kept back, or that "
                    + "clock was set back meanwhile")
        }
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

/// Remarks of sources, to be shown at the end of a run.
package final class SourceRemarks: Sendable {
    private let remarks = Mutex<[String]>([])

    package init() {}

    /// Each remark, with the name of its source in front.
    package var all: [String] { remarks.withLock { $0 } }

    func add(_ texts: [String], of name: String) {
        remarks.withLock { $0 += texts.map { "\(name): \($0)" } }
    }

    /// Takes the run's news, and adds a remark for each reason why a source was lost: the participant's screen does not
    /// say it.
    package func take(_ news: RunUpdate) {
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
