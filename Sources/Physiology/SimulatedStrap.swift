/// What a chest strap sends about once a second.
package struct HeartRateNotification: Hashable, Sendable {
    /// Whole beats per minute over the last five intervals; `nil` if the strap detects no pulse.
    package var rate: Double?
    /// Seconds between the beats since the last notification, oldest first, resolution 1/1024 s.
    package var rrIntervals: [Double]
    /// Whether the strap touches skin.
    package var sensorContact: Bool
}

/// A chest strap on a simulated heart, with the faults of real ones.
///
/// The faults never change the beats: the same generator gives the same heart, whatever the shares of faults.
package struct SimulatedStrap: Sendable {
    /// How often each fault occurs.
    package struct Faults: Hashable, Sendable {
        /// Share of the notifications that are lost, 0...1.
        package var dropouts: Double
        /// Share of the notifications that arrive twice, 0...1.
        package var duplicates: Double
        /// Share of the time without skin contact, 0...1, in bursts of four seconds on average.
        package var contactLoss: Double

        package init(dropouts: Double, duplicates: Double, contactLoss: Double) {
            self.dropouts = dropouts
            self.duplicates = duplicates
            self.contactLoss = contactLoss
        }
    }

    private static let intervalsInRate = 5
    private static let settlingSeconds = 16
    private static let meanBurst = 4.0

    private var heart: SimulatedHeart
    private let faults: Faults
    private var recent: [Double] = []
    private var isTouching: Bool
    /// Seconds between the beats since the call before, also if their notification was lost; empty without skin contact.
    package private(set) var intervals: [Double] = []

    /// A strap that has already been worn for some time at time zero.
    package init(
        _ parameters: SimulatedHeart.Parameters, faults: Faults,
        using random: inout some RandomNumberGenerator
    ) {
        self.faults = faults
        isTouching = random.unitInterval() >= faults.contactLoss
        heart = SimulatedHeart(parameters, startingAt: -Self.settlingSeconds, using: &random)
        remember(heart.beats(until: 0, effort: 0, musicEnergy: 0, using: &random))
    }

    /// What arrives at `seconds`: nothing, the notification, or the same notification twice.
    ///
    /// - Parameters:
    ///   - seconds: since time zero; call about once a second, in order.
    ///   - effort: effort since the last call, 0...1.
    ///   - musicEnergy: energy of the music since the last call, 0...1, 0 for silence.
    package mutating func notifications(
        at seconds: Double, effort: Double, musicEnergy: Double,
        using random: inout some RandomNumberGenerator
    ) -> [HeartRateNotification] {
        let beats = heart.beats(until: seconds, effort: effort, musicEnergy: musicEnergy, using: &random)
        remember(beats)
        let isLost = random.unitInterval() < faults.dropouts
        let isDoubled = random.unitInterval() < faults.duplicates
        moveContact(random.unitInterval())
        intervals = isTouching ? beats.map { ($0.interval * 1024).rounded() / 1024 } : []
        guard !isLost else { return [] }
        let notification = HeartRateNotification(
            rate: isTouching ? rate : nil, rrIntervals: intervals, sensorContact: isTouching)
        return isDoubled ? [notification, notification] : [notification]
    }

    /// The chest's position since the call before, `SimulatedHeart.stepsPerSecond` times a second, −1 (out) … 1 (in).
    package var breaths: [Double] { heart.breaths }

    private var rate: Double? {
        recent.isEmpty ? nil : (60 * Double(recent.count) / recent.reduce(0, +)).rounded()
    }

    private mutating func remember(_ beats: [SimulatedHeart.Beat]) {
        recent.append(contentsOf: beats.map(\.interval))
        recent.removeFirst(max(recent.count - Self.intervalsInRate, 0))
    }

    /// A chain of two states that is without contact for the given share of the time.
    private mutating func moveContact(_ chance: Double) {
        let lost = faults.contactLoss
        guard lost < 1 else {
            isTouching = false
            return
        }
        let losing = min(lost / ((1 - lost) * Self.meanBurst), 1)
        let finding = losing < 1 ? 1 / Self.meanBurst : (1 - lost) / lost
        isTouching = isTouching ? chance >= losing : chance < finding
    }
}
