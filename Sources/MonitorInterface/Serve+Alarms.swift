import ArgumentParser
package import StudyModel
import TextFormat

extension Serve {
    /// Reads the rules of `--alarm`.
    ///
    /// - Throws: if one cannot be understood, or if two are of one kind.
    static func rules(_ texts: [String]) throws -> [AlarmRule] {
        var rules: [AlarmRule] = []
        for text in texts {
            guard let rule = AlarmRule(words: text) else {
                throw ValidationError(
                    """
                    --alarm '\(printable(text))' is no rule: write 'heart rate above 170 bpm for 10 s', \
                    'heart rate below 40 bpm for 10 s', 'signal lost for 10 s', 'microphone silent for 30 s' or \
                    'run dead'; limits are 20 to 300 bpm, times 0.5 to 3600 s
                    """)
            }
            if let other = rules.first(where: { $0.kind == rule.kind }) {
                throw ValidationError(
                    "--alarm '\(other.words)' and '\(rule.words)' are of one kind: give only one of them")
            }
            rules.append(rule)
        }
        let limits = (rules.first { $0.kind == .above }?.limit, rules.first { $0.kind == .below }?.limit)
        if let high = limits.0, let low = limits.1, low >= high {
            throw ValidationError(
                """
                every heart rate is above \(plainNumber(high)) bpm or below \(plainNumber(low)) bpm: give a lower limit \
                for 'below'
                """
            )
        }
        return rules
    }

    /// What experimenters are alerted to in runs whose study does not say it.
    package var alarmRules: [AlarmRule] { alarms.compactMap { AlarmRule(words: $0) } }
}
