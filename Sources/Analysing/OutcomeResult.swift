import Participants
import Physiology
package import Statistics
package import StudyModel
import TextFormat

/// What the data of a study say about one outcome, as far as its design allows.
package struct OutcomeResult: Sendable {
    package var outcome: Outcome
    package var finding: Finding
    /// How many values are included, and from how many participants.
    package var values: Int
    package var participants: Int
    /// Values that were not reached within the step's time. They count with all of that time.
    package var censored: Int
    /// Corrected by Holm's method for all tested outcomes of the same rank; `nil` if it is the only one, or without
    /// a test.
    package var correctedP: Double?
    package var exclusions: [OutcomeExclusion]
    /// The participants who have no value at all.
    package var withoutValue: [String]
    /// What else to know, one sentence each.
    package var remarks: [String] = []
    /// The same with other choices of values; only for a primary outcome with a test.
    package var sensitivity: [SensitivityCheck] = []
    /// Whether arms differ in the effects of conditions, if participants of several arms went through several
    /// conditions.
    package var armsByConditions: ArmsByConditions?
    /// How the test behaves without an effect; `nil` if nobody asked.
    package var calibration: Calibration?

    /// What was compared.
    package enum Finding: Sendable {
        /// The arms of the study; each participant counts with the mean of their values.
        case arms(GroupContrasts)
        /// Conditions that participants went through, or their sessions.
        case conditions(ConditionContrasts)
        /// The values relative to a baseline; the contrast is `nil` if nothing varies.
        case change(PairedDifference, ConditionContrasts.Contrast?)
        /// No comparison, only the mean over participants.
        case mean(PairedDifference)
        /// There is no finding.
        case none
    }

    /// The p value of the one test; `nil` if nothing was compared.
    package var p: Double? {
        switch finding {
        case .arms(let groups): groups.omnibus?.p ?? groups.contrasts.first?.p
        case .conditions(let contrasts): contrasts.omnibus.p
        case .change(_, let contrast): contrast?.p
        case .mean, .none: nil
        }
    }

    init(
        of outcome: Outcome, _ values: [OutcomeValue], leaving exclusions: [OutcomeExclusion],
        of everybody: Set<String>, left leavers: Set<String> = [], drawnFlips: Int,
        using random: inout some RandomNumberGenerator
    ) {
        self.outcome = outcome
        self.values = values.count
        censored = values.count(where: \.isCensored)
        self.exclusions = exclusions
        let people = Set(values.map(\.participant))
        participants = people.count
        withoutValue = everybody.subtracting(people).sorted()
        let early = exclusions.filter { $0.reason == .leftEarly }.map(\.participant)
        remarks += [dropoutWarning(leavers.union(early)), Self.correctionWarning(values)].compactMap(\.self)
        finding = .none
        find(in: values, drawnFlips, &random)
        if p != nil, let scale = Scale(of: outcome.measure, values) { remarks.append(scale.remark) }
        if outcome.rank == .primary, p != nil { sensitivity = SensitivityCheck.all(of: self, values) }
    }

    /// A scale on which the distances between values are not known, although the tests take them for equal.
    private enum Scale {
        /// Steps of a scale, of which only the order is known.
        case ordinal
        /// Yes and no, or right and wrong.
        case binary

        /// More different answers than this are as good as a continuous scale.
        private static let mostSteps = 11

        /// - Returns: `nil` if the values are measured, or have many steps.
        init?(of measure: Outcome.Measure, _ values: [OutcomeValue]) {
            guard measure == .answer || measure == .score else { return nil }
            let all = values.flatMap { [$0.value, $0.baseline].compactMap(\.self) }
            let different = Set(all)
            guard different.count <= Self.mostSteps, different.allSatisfy({ $0 == $0.rounded() }) else {
                return nil
            }
            self = different.isSubset(of: [0, 1]) ? .binary : .ordinal
        }

        var remark: String {
            switch self {
            case .ordinal:
                "The answers are treated as numbers at equal distances (an interval scale); of a scale with few steps, only the "
                    + "order is known."
            case .binary:
                "The answers are 0 or 1, so means are shares. They are treated as numbers on an interval scale (a linear "
                    + "probability model); close to 0 % or 100 %, a logistic model fits better."
            }
        }
    }

    /// Says that many intervals between beats were corrected; `nil` if they were not.
    private static func correctionWarning(_ values: [OutcomeValue]) -> String? {
        let many = values.count { $0.correctedShare > VariabilityFindings.tolerableShare }
        guard many > 0 else { return nil }
        return
            "In \(many) of \(counted(values.count, "value")), more than \(Int(VariabilityFindings.tolerableShare * 100)) % of the "
            + "intervals between beats were corrected. With many wrong beats, a heart rate can be several beats per minute too low."
    }

    /// The result of the test alone; no sign flips are drawn.
    init(testing outcome: Outcome, _ values: [OutcomeValue]) {
        var noChance = SystemRandomNumberGenerator()
        self.init(of: outcome, values, leaving: [], of: [], drawnFlips: 0, using: &noChance)
    }

    private mutating func find(
        in values: [OutcomeValue], _ flips: Int, _ random: inout some RandomNumberGenerator
    ) {
        guard outcome.factors.isEmpty else { return compareLevels(of: values, flips, &random) }
        let arms = Set(values.compactMap(\.arm))
        if arms.count > 1 {
            let members = Self.members(of: values)
            if let groups = GroupContrasts(members) {
                finding = .arms(groups)
                compareConditions(of: values)
                return
            }
            remarks.append(
                "The arms are not compared: an arm has fewer than two participants, or nothing varies.")
        }
        for factor in ConditionFactor.ofOutcomes where factor != .session || outcome.reference == nil {
            let conditions = Set(values.compactMap { factor.condition(of: $0) })
            guard conditions.count > 1 else { continue }
            do throws(NoContrasts) {
                finding = .conditions(
                    try ConditionContrasts(
                        ContrastRow.rows(of: values, factor), Quantity(of: outcome), factor,
                        drawnFlips: min(flips, SignFlips.drawn), using: &random))
                return
            } catch {
                remarks.append(error.line)
            }
        }
        let differences = Self.byParticipant(values).map(\.change)
        guard let difference = PairedDifference(differences, drawnFlips: flips, using: &random) else {
            return
        }
        finding = outcome.reference == nil ? .mean(difference) : .change(difference, contrast(difference))
    }

    /// Compares the levels of the factors that the outcome names, and nothing else.
    private mutating func compareLevels(
        of values: [OutcomeValue], _ flips: Int, _ random: inout some RandomNumberGenerator
    ) {
        do throws(NoContrasts) {
            finding = .conditions(
                try ConditionContrasts(
                    ContrastRow.rows(of: values, .level), Quantity(of: outcome), .level,
                    crossing: outcome.factors.count == 2 ? outcome.factors.map(\.text) : [],
                    drawnFlips: min(flips, SignFlips.drawn), using: &random))
            if Set(values.compactMap(\.arm)).count > 1 {
                armsByConditions = ArmsByConditions(values, .level)
            }
        } catch {
            remarks.append(error.line)
        }
    }

    /// Student's t test of paired values.
    private func contrast(_ difference: PairedDifference) -> ConditionContrasts.Contrast? {
        guard let reference = outcome.reference, let deviation = difference.deviation, deviation > 0 else {
            return nil
        }
        return .init(
            outcome.subject.name, reference.name, participants: difference.count,
            .init(
                value: difference.mean, error: deviation / Double(difference.count).squareRoot(),
                degrees: Double(difference.count - 1)), deviation: deviation)
    }

    /// Compares conditions within the participants of arms.
    private mutating func compareConditions(of values: [OutcomeValue]) {
        for factor in ConditionFactor.ofOutcomes {
            let byPerson = Dictionary(grouping: values, by: \.participant).values
            let isWithin = byPerson.contains { own in
                Set(own.compactMap { factor.condition(of: $0) }).count > 1
            }
            guard isWithin else { continue }
            remarks.append("Each participant counts with the mean over the \(factor.plural).")
            if armsByConditions == nil { armsByConditions = ArmsByConditions(values, factor) }
        }
    }

    /// The means of each participant's values and baselines, in the order of the codes.
    private static func byParticipant(_ values: [OutcomeValue]) -> [OutcomeValue] {
        Dictionary(grouping: values, by: \.participant).sorted { $0.key < $1.key }.compactMap { _, own in
            guard var mean = own.first else { return nil }
            let count = Double(own.count)
            mean.value = own.reduce(0) { $0 + $1.value } / count
            mean.baseline = mean.baseline.map { _ in own.reduce(0) { $0 + ($1.baseline ?? 0) } / count }
            return mean
        }
    }

    /// Each participant of an arm, with the mean of their values.
    static func members(of values: [OutcomeValue]) -> [GroupContrasts.Member] {
        byParticipant(values.filter { $0.arm != nil }).compactMap { own in
            own.arm.map { .init(group: $0, value: own.change, baseline: own.baseline) }
        }
    }
}

extension ConditionFactor {
    /// What may differ within participants, in order of precedence.
    static let ofOutcomes: [ConditionFactor] = [.condition, .clip, .task, .session]

    func condition(of value: OutcomeValue) -> String? {
        switch self {
        case .condition: value.round.condition
        case .clip: value.round.clip
        case .task: value.task
        case .session: "session \(value.session)"
        case .level: condition(of: value.round)
        case .mood, .tempo: nil
        }
    }

    func condition(of round: OutcomeValue.Round) -> String? {
        switch self {
        case .condition: round.condition
        case .clip: round.clip
        case .level: round.levels.isEmpty ? nil : round.levels.joined(separator: ", ")
        case .task, .session, .mood, .tempo: nil
        }
    }
}

extension ContrastRow {
    /// One row for each value that has a condition.
    static func rows(of values: [OutcomeValue], _ factor: ConditionFactor) -> [ContrastRow] {
        values.compactMap { value in
            factor.condition(of: value).map { condition in
                ContrastRow(
                    participant: value.participant,
                    session: factor == .session ? 1 : Double(value.session), place: Double(value.place),
                    label: condition, condition: condition, levels: value.round.levels,
                    before: value.before.flatMap { factor.condition(of: $0) }.map { [$0: 1] } ?? [:],
                    value: value.change, baseline: value.baseline)
            }
        }
    }
}

extension StudyResponse {
    /// Works out the outcomes that a study names, or the usual ones.
    ///
    /// - Parameter outcomes: the outcomes of the newest text; `nil` if no study can be read.
    mutating func addOutcomes(
        _ outcomes: [Outcome]?, of runs: [RunResponses], _ drawnFlips: Int,
        _ random: inout some RandomNumberGenerator
    ) {
        hasKnownOutcomes = outcomes != nil
        let everybody = Set(runs.map(\.session.participant))
        for outcome in outcomes ?? [] where !isTold(outcome) {
            var key = outcome
            key.rank = .usual
            let visits = OutcomeVisits(
                outcome: outcome, values: runs.flatMap { $0.outcomes.values[key] ?? [] },
                exclusions: runs.flatMap { $0.outcomes.exclusions[key] ?? [] })
            self.visits.append(visits)
            let result = OutcomeResult(
                of: outcome, visits.values, leaving: visits.exclusions, of: everybody, left: leavers,
                drawnFlips: drawnFlips, using: &random)
            if outcome.rank == .usual, outcome.measure == .answer, case .mean = result.finding {
                askedOnce.append(outcome.subject.name)
            } else {
                self.outcomes.append(result)
            }
        }
        for rank in [Outcome.Rank.secondary, .usual] {
            let tested = self.outcomes.indices.filter {
                self.outcomes[$0].outcome.rank == rank && self.outcomes[$0].p != nil
            }
            guard tested.count > 1 else { continue }
            let corrected = correctedAfterHolm(tested.compactMap { self.outcomes[$0].p })
            for (place, index) in tested.enumerated() { self.outcomes[index].correctedP = corrected[place] }
        }
    }

    /// The participants without a value who reached an end that the study names, by the end's name.
    var endedWithoutValue: [String: [String]] {
        ended.mapValues { people in
            people.filter { person in outcomes.allSatisfy { $0.withoutValue.contains(person) } }
        }.filter { !$0.value.isEmpty }
    }

    /// Whether the contrasts of clips already show it: a heart rate that the study did not name, in steps with
    /// clips.
    private func isTold(_ outcome: Outcome) -> Bool {
        outcome.rank == .usual && outcome.measure == .heartRate && outcome.reference != nil
            && contrasts.contains { $0.quantity == .heartRate }
            && Set(responses.map(\.step)).isSuperset(of: outcome.subject.steps)
    }
}
