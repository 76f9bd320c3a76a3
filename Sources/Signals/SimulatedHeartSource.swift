package import Physiology
package import SessionPorts
package import StudyModel

/// A simulated heart with a strap that sends once a second, and any other signals that recorders want.
///
/// The same generator gives the same heart and the same faults. The strap's seconds do not begin with those of the
/// run. Their phase is drawn and is never a whole millisecond, so that a notification never coincides with a
/// planned moment.
package struct SimulatedHeartSource<Random: RandomNumberGenerator & Sendable>: SampleSource {
    private let configuration: SimulatedSource
    private let random: Random
    private let signals: Set<Signal>
    private let person: SimulatedPerson?

    /// - Parameters:
    ///   - configuration: the heart and the faults, in the ranges of `SimulatedSource`.
    ///   - random: the only source of randomness; every run of the source starts from it again.
    ///   - signals: the signals that are wanted; a heart if it is empty.
    ///   - person: the person whose heart it is; without one, the heart is exactly as configured.
    package init(
        _ configuration: SimulatedSource, random: Random, signals: Set<Signal> = [],
        person: SimulatedPerson? = nil
    ) {
        self.person = person
        self.signals = signals
        self.configuration = configuration
        self.random = random
    }

    /// Never returns by itself.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        var random = random
        let origin = clock.now
        let phase = Duration.microseconds(Int64(random.next() % 999) * 1000 + 500)
        let heart = person?.heart(configuration.heart) ?? configuration.heart
        var strap = SimulatedStrap(heart, faults: configuration.faults, using: &random)
        report(.live)
        var finger = SimulatedFinger()
        let numbers = Signal.numbers.filter { signals.contains($0.signal) }
        var waves = SimulatedWaves(signals)
        let hasHeart = signals.isEmpty || numbers.count + signals.waves.count < signals.count
        var elapsed = phase
        while let arrival = await clock.wait(until: origin.advanced(by: elapsed)) {
            let (now, instant) = (circumstances(), origin.advanced(by: elapsed))
            for (signal, form) in numbers {
                let value = SignalValue.number(form.simulated(at: elapsed.seconds), of: signal)
                report(.measured(Timed(value, at: instant, arrival: arrival)))
            }
            let notifications = strap.notifications(
                at: elapsed.seconds, effort: now.effort, musicEnergy: now.musicEnergy ?? 0, using: &random)
            waves.reports(
                of: strap.intervals, breaths: strap.breaths, at: elapsed.seconds, since: origin,
                arrival: arrival
            ).forEach(report)
            for notification in notifications where hasHeart {
                if signals.contains(.pulseWaveform) {
                    finger.reports(of: notification, at: elapsed.seconds, since: origin, arrival: arrival)
                        .forEach(report)
                }
                let sample = HeartRateSample(
                    rate: notification.rate, rrIntervals: notification.rrIntervals,
                    sensorContact: notification.sensorContact)
                report(.sample(Timed(sample, at: instant, arrival: arrival)))
            }
            elapsed += .seconds(1)
        }
    }
}

extension Signal.NumberForm {
    /// A wave, once up and down a minute, to two decimals.
    fileprivate func simulated(at seconds: Double) -> Double {
        let share = 1 - abs(seconds.truncatingRemainder(dividingBy: 60) / 30 - 1)
        let value = simulated.lowerBound + (simulated.upperBound - simulated.lowerBound) * share
        return (value * 100).rounded() / 100
    }
}

extension SimulatedSource {
    fileprivate var heart: SimulatedHeart.Parameters {
        SimulatedHeart.Parameters(
            restingRate: restingRate, maximumRate: maximumRate, variability: variability,
            musicResponse: musicResponse)
    }

    fileprivate var faults: SimulatedStrap.Faults {
        SimulatedStrap.Faults(dropouts: dropouts, duplicates: duplicates, contactLoss: contactLoss)
    }
}
