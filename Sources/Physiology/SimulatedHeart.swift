/// A heart that beats by integral pulse frequency modulation, the same to the bit on every machine.
///
/// The rate is integrated in steps of 1/32 s, and a beat falls where the integral reaches the next whole
/// number. The rate is the resting rate, moved by first-order responses to effort (45 s up, 60 s down) and to
/// music (15 s), and varied by a slow drift (Ornstein-Uhlenbeck, 60 s), a 0.1 Hz wave and a respiratory wave
/// near 0.25 Hz, both of jittered frequency, that shrink with effort. Every number comes from `+ - * /`, `sqrt`
/// and a polynomial sine; the platform's other functions, whose last bits differ, are not used.
///
/// Gain and time constants: BioMed Eng OnLine 2015, s12938-015-0112-7 (24 men on a treadmill).
package struct SimulatedHeart: Sendable {
    /// The parameters in which hearts differ.
    package struct Parameters: Hashable, Sendable {
        /// Beats per minute without effort or music.
        package var restingRate: Double
        /// Beats per minute that are never exceeded, and that are reached at full effort.
        package var maximumRate: Double
        /// Relative size of the natural variability; 1 is a typical adult, 0 a metronome.
        package var variability: Double
        /// How much music of full energy changes the rate, beats per minute.
        package var musicResponse: Double
        /// Relative size of the respiratory part of the variability; 1 is a typical adult.
        package var breathing = 1.0
        /// Breaths per second.
        package var breathRate = 0.25
        /// Relative size of the slow drift; 1 is a typical adult.
        package var drift = 1.0

        package init(restingRate: Double, maximumRate: Double, variability: Double, musicResponse: Double) {
            self.restingRate = restingRate
            self.maximumRate = maximumRate
            self.variability = variability
            self.musicResponse = musicResponse
        }
    }

    /// A beat that ends an interval.
    package struct Beat: Hashable, Sendable {
        /// Seconds since the heart's time zero.
        package var time: Double
        /// Seconds since the beat before.
        package var interval: Double
    }

    /// A power of two, so that the times of the steps are exact.
    package static let stepsPerSecond = 32.0
    /// Steps between two changes of the drift and of the waves' frequencies.
    private static let stepsPerDrift = 8
    private static let driftResponse = FirstOrder(tau: 60, step: 0.25)
    private static let jitterResponse = FirstOrder(tau: 8, step: 0.25)
    private static let effortOn = FirstOrder(tau: 45, step: 1 / stepsPerSecond)
    private static let effortOff = FirstOrder(tau: 60, step: 1 / stepsPerSecond)
    private static let musicTurn = FirstOrder(tau: 15, step: 1 / stepsPerSecond)
    private static let slowestRate = 20.0

    private let parameters: Parameters
    private var step: Int
    private var integral: Double
    private var lastBeat: Double?
    private var effort = 0.0
    private var music = 0.0
    private var drift: Double
    private var slowWave: Wave
    private var breath: Wave
    /// The chest's position in each step of the last call, −1 (out) … 1 (in).
    package private(set) var breaths: [Double] = []

    /// - Parameters:
    ///   - parameters: the heart; every number finite.
    ///   - start: whole seconds at which it begins to beat; negative to let it settle before time zero.
    ///   - random: the only source of randomness; pass the same generator to every later call.
    package init(
        _ parameters: Parameters, startingAt start: Int, using random: inout some RandomNumberGenerator
    ) {
        self.parameters = parameters
        step = start * Int(Self.stepsPerSecond)
        integral = random.unitInterval()
        drift = random.normal()
        slowWave = Wave(phase: random.unitInterval(), jitter: random.normal())
        breath = Wave(phase: random.unitInterval(), jitter: random.normal())
    }

    /// Lets the heart continue, and returns the beats of that time in order.
    ///
    /// The very first beat only opens an interval and is not returned. Beats are found in whole steps, so a beat in
    /// the last 1/32 s before `seconds` may come with the next call.
    /// - Parameters:
    ///   - seconds: the time to continue to; earlier times change nothing.
    ///   - effort: physical effort during that time, 0...1 of the heart-rate reserve; values beyond are limited to
    ///     this range.
    ///   - musicEnergy: energy of the music during that time, 0...1, 0 for silence; values beyond are limited to
    ///     this range.
    package mutating func beats(
        until seconds: Double, effort: Double, musicEnergy: Double,
        using random: inout some RandomNumberGenerator
    ) -> [Beat] {
        var beats: [Beat] = []
        breaths = []
        let targetEffort = min(max(effort, 0), 1)
        let targetMusic = min(max(musicEnergy, 0), 1) * parameters.musicResponse
        while Double(step + 1) <= seconds * Self.stepsPerSecond {
            if step % Self.stepsPerDrift == 0 { wander(using: &random) }
            self.effort += (targetEffort > self.effort ? Self.effortOn : Self.effortOff)
                .change(from: self.effort, to: targetEffort)
            music += Self.musicTurn.change(from: music, to: targetMusic)
            if let beat = advance() { beats.append(beat) }
            breaths.append(breath.height)
        }
        return beats
    }

    private mutating func wander(using random: inout some RandomNumberGenerator) {
        drift = Self.driftResponse.wander(from: drift, by: random.normal())
        slowWave.jitter = Self.jitterResponse.wander(from: slowWave.jitter, by: random.normal())
        breath.jitter = Self.jitterResponse.wander(from: breath.jitter, by: random.normal())
    }

    /// One step; returns the beat in it, if there is one and it ends an interval.
    private mutating func advance() -> Beat? {
        let start = Double(step) / Self.stepsPerSecond
        let beatsPerSecond = currentRate / 60
        slowWave.advance(frequency: 0.1, spread: 0.1, by: 1 / Self.stepsPerSecond)
        breath.advance(frequency: parameters.breathRate, spread: 0.12, by: 1 / Self.stepsPerSecond)
        step += 1
        let missing = 1 - integral
        integral += beatsPerSecond / Self.stepsPerSecond
        guard integral >= 1 else { return nil }
        integral -= 1
        let time = min(start + missing / beatsPerSecond, Double(step) / Self.stepsPerSecond)
        defer { lastBeat = time }
        return lastBeat.map { Beat(time: time, interval: time - $0) }
    }

    /// Beats per minute now.
    private var currentRate: Double {
        let reserve = parameters.maximumRate - parameters.restingRate
        let base = parameters.restingRate + effort * reserve + music
        let calm = (1 - 0.9 * effort) * (1 - 0.9 * effort)
        let waves = (0.033 * slowWave.height + 0.038 * parameters.breathing * breath.height) * calm * base
        let slow = 0.035 * drift * parameters.drift * parameters.restingRate
        let varied = base + parameters.variability * (waves + slow)
        return min(max(varied, Self.slowestRate), parameters.maximumRate)
    }
}

/// A wave whose frequency wanders.
private struct Wave: Sendable {
    /// Turns, 0..<1.
    var phase: Double
    /// Deviation of the frequency in standard deviations.
    var jitter: Double

    var height: Double { sine(turns: phase) }

    mutating func advance(frequency: Double, spread: Double, by seconds: Double) {
        phase += max(frequency * (1 + spread * jitter), 0) * seconds
        if phase >= 1 { phase -= 1 }
    }
}

/// The backward Euler step of a first-order response, which needs no exponential function.
private struct FirstOrder: Sendable {
    private let share: Double
    private let noise: Double

    init(tau: Double, step: Double) {
        share = step / (tau + step)
        noise = (share * (2 - share)).squareRoot()
    }

    func change(from value: Double, to target: Double) -> Double { (target - value) * share }

    /// Keeps mean 0 and standard deviation 1 if `normal` has them.
    func wander(from value: Double, by normal: Double) -> Double { value - value * share + noise * normal }
}
