import MonitorInterface
import StudyModel

/// Judges the alarms of one run.
///
/// A value without a clock: what the monitor hears of the run goes in with the instant at which it was heard, and
/// `judge` says what has begun and ended since. All instants are seconds since 1970 by the monitor's clock.
struct AlarmWatch: Sendable {
    /// What a monitor hears of a run.
    enum News: Hashable, Sendable {
        case signOfLife
        /// Beats per minute.
        case rate(Double)
        case microphone(MicrophoneState)
        case over
    }

    /// An alarm that begins or ends.
    struct Change: Hashable, Sendable {
        var rule: AlarmRule
        var begins: Bool
        /// The last heart rate, beats per minute; only of rules on the heart rate.
        var rate: Double?
    }

    let rules: [AlarmRule]
    /// The alarms that are still on, with the time at which each began.
    private(set) var standing: [AlarmRule.Kind: Double]
    private(set) var isOver = false
    /// The start of the watch. Silence before it does not count.
    private let begin: Double
    private var heard: Double
    private var rate: (value: Double, time: Double)?
    /// Since when the heart rate has been beyond a limit.
    private var beyond: [AlarmRule.Kind: Double] = [:]
    private var silentSince: Double?

    /// - Parameters:
    ///   - standing: alarms that began earlier, with their instants.
    ///   - now: when somebody begins to watch.
    init(_ rules: [AlarmRule], standing: [AlarmRule.Kind: Double] = [:], from now: Double) {
        (self.rules, self.standing, begin) = (rules, standing, now)
        heard = -.infinity
    }

    /// Takes the run's next news. News must come in order.
    mutating func take(_ news: News, at time: Double) {
        heard = max(heard, time)
        switch news {
        case .signOfLife: break
        case .rate(let value): take(value, at: time)
        case .microphone(let state):
            silentSince = state == .silent ? time - MonitorLimits.microphoneSilence : nil
        case .over: isOver = true
        }
    }

    private mutating func take(_ value: Double, at time: Double) {
        let hasGap = rate.map { time - $0.time > MonitorLimits.gap } ?? false
        rate = (value, time)
        for rule in rules {
            guard rule.isBroken(by: value) else {
                beyond[rule.kind] = nil
                continue
            }
            // Nobody saw what the heart rate was in a gap.
            if hasGap, standing[rule.kind] == nil { beyond[rule.kind] = nil }
            beyond[rule.kind] = beyond[rule.kind] ?? time
        }
    }

    /// What has begun and ended until now.
    mutating func judge(at now: Double) -> [Change] {
        let changes = rules.compactMap { rule -> Change? in
            let isOn = !isOver && holds(rule, at: now)
            guard isOn != (standing[rule.kind] != nil) else { return nil }
            return Change(rule: rule, begins: isOn, rate: rule.limit == nil ? nil : rate?.value)
        }
        for change in changes { standing[change.rule.kind] = change.begins ? now : nil }
        return changes
    }

    private func holds(_ rule: AlarmRule, at now: Double) -> Bool {
        let began = standing[rule.kind]
        let time = rule.duration?.seconds ?? MonitorLimits.silence
        // A run that is not heard says nothing of its signals either: nothing begins, and nothing ends.
        let isDead = now - max(heard, begin) > MonitorLimits.silence
        switch rule {
        case .above, .below:
            guard let since = beyond[rule.kind], let rate else { return began != nil && rate == nil }
            return began != nil || rate.time - since >= time
        case .signalLost:
            guard began == nil else { return rate.map { $0.time <= began ?? 0 } ?? true }
            return !isDead && rate.map { now - max($0.time, begin) >= time } ?? false
        case .microphoneSilent:
            guard began == nil else { return silentSince != nil }
            return !isDead && silentSince.map { now - max($0, begin) >= time } ?? false
        case .runDead: return began.map { heard <= $0 } ?? isDead
        }
    }
}

extension AlarmRule {
    /// Whether a heart rate is beyond the limit.
    fileprivate func isBroken(by rate: Double) -> Bool {
        switch self {
        case .above(let limit, _): rate > limit
        case .below(let limit, _): rate < limit
        case .signalLost, .microphoneSilent, .runDead: false
        }
    }
}
