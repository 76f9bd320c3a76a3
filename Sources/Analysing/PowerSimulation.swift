import Datasets
import Participants
import Physiology
package import StudyModel
import TextFormat

/// How often whole studies of simulated participants find an effect that was built into them.
///
/// Each simulated study is analysed by its primary outcome: once as it is, and once with the effect added to the
/// values of one condition or arm, or to all values if they are relative to another step. The first participants of
/// a study also serve as a smaller study.
package struct PowerSimulation: Sendable {
    package let outcome: Outcome
    /// The size of the added effect, in the outcome's unit.
    package let effect: Double
    /// The standard deviation of the participants' own effects, as a share of the effect.
    package let differing: Double
    /// Where the effect is added; `nil` before the first study.
    package private(set) var target: Target?
    /// The results by number of participants.
    package private(set) var designs: [Design]
    private let named: String?

    /// Which values get the effect.
    package enum Target: Hashable, Sendable {
        case arm(String)
        case condition(ConditionFactor, String)
        /// All values, which are relative to another step.
        case everyValue

        /// Whether participants have values with the effect and without it.
        fileprivate var isWithin: Bool {
            switch self {
            case .arm: false
            case .condition, .everyValue: true
            }
        }

        /// The name of the arm or condition.
        package var name: String? {
            switch self {
            case .arm(let name), .condition(_, let name): name
            case .everyValue: nil
            }
        }
    }

    /// One number of participants.
    package struct Design: Sendable {
        package var participants: Int
        /// The results with the effect.
        package var found = Tally()
        /// The results without any effect.
        package var falselyFound = Tally()
        /// Sums over the studies with a result, for contrasts with the effect on one side.
        fileprivate var estimates = 0.0
        fileprivate var errors = 0.0
        fileprivate var widths = 0.0

        /// Mean estimate of the effect, over the studies with a result.
        package var meanEstimate: Double? { found.mean(of: estimates) }
        /// Mean standard error of the contrast.
        package var meanError: Double? { found.mean(of: errors) }
        /// Mean width of the contrast's 95 % interval.
        package var meanWidth: Double? { found.mean(of: widths) }
    }

    /// In how many studies p was at most 0.05.
    package struct Tally: Sendable {
        package private(set) var studies = 0
        /// Studies whose design or values allowed no test. They count as finding nothing.
        package private(set) var withoutAnswer = 0
        package private(set) var found = 0

        package var share: Double { Double(found) / Double(max(studies, 1)) }

        /// The 95 % interval of the share, which is the error of the simulation.
        ///
        /// Source: Wilson, J Am Stat Assoc 22 (1927) 209.
        package var interval: ClosedRange<Double> {
            guard studies > 0 else { return 0...1 }
            let (z, number) = (1.959_963_984_540_054, Double(studies))
            let centre = (share + z * z / (2 * number)) / (1 + z * z / number)
            let half =
                z / (1 + z * z / number)
                * (share * (1 - share) / number + z * z / (4 * number * number)).squareRoot()
            return max(0, centre - half)...min(1, centre + half)
        }

        mutating func add(p: Double?) {
            studies += 1
            guard let p else {
                withoutAnswer += 1
                return
            }
            if p <= PowerSimulation.level { found += 1 }
        }

        fileprivate func mean(of sum: Double) -> Double? {
            studies > withoutAnswer ? sum / Double(studies - withoutAnswer) : nil
        }
    }

    /// The highest p that counts as a finding.
    package static let level = 0.05

    /// - Parameters:
    ///   - effect: the effect in the outcome's unit.
    ///   - differing: the standard deviation of the participants' own effects, as a share of the effect.
    ///   - name: the condition or arm with the effect; `nil` if there is no choice.
    ///   - counts: numbers of participants.
    package init(
        of outcome: Outcome, effect: Double, differing: Double = 0, in name: String?,
        participants counts: [Int]
    ) {
        self.differing = differing
        self.outcome = outcome
        self.effect = effect
        named = name
        designs = Set(counts).sorted().map { Design(participants: $0) }
    }

    /// Analyses one more study.
    ///
    /// - Parameter random: draws how people differ in the effect.
    /// - Throws: if the design compares nothing, or does not say where the effect is.
    package mutating func add(
        _ study: SimulatedStudy, using random: inout some RandomNumberGenerator
    ) throws(PowerProblem) {
        let target: Target
        if let known = self.target { target = known } else { target = try find(in: study) }
        self.target = target
        let own = ownEffects(of: study.participants, &random)
        for index in designs.indices {
            let people = Set(study.participants.prefix(designs[index].participants))
            let values = study.values.filter { people.contains($0.participant) }
            // Without an effect on average, people still differ in what conditions do to them.
            let unchanged =
                target.isWithin
                ? values.map { target.adding(own[$0.participant, default: 0], to: $0) } : values
            designs[index].falselyFound.add(p: answer(unchanged, target)?.p)
            let changed = answer(
                values.map { target.adding(effect + own[$0.participant, default: 0], to: $0) }, target)
            designs[index].found.add(p: changed?.p)
            guard let changed else { continue }
            let own = changed.contrasts
            designs[index].estimates += Self.mean(own) {
                $0.second == target.name ? -$0.estimate : $0.estimate
            }
            designs[index].errors += Self.mean(own, \.error)
            designs[index].widths += Self.mean(own) { $0.interval.upperBound - $0.interval.lowerBound }
        }
    }

    /// How far each participant's effect is from the mean, of a normal distribution.
    private func ownEffects(
        of participants: [String], _ random: inout some RandomNumberGenerator
    ) -> [String: Double] {
        let effects = participants.map { ($0, differing * effect * random.normal()) }
        return Dictionary(effects) { first, _ in first }
    }

    private static func mean(
        _ contrasts: [ConditionContrasts.Contrast], _ value: (ConditionContrasts.Contrast) -> Double
    ) -> Double {
        contrasts.reduce(0) { $0 + value($1) } / Double(contrasts.count)
    }

    /// The outcome's p value, and the contrasts with the effect on one side.
    private struct Answer {
        var p: Double
        var contrasts: [ConditionContrasts.Contrast]
    }

    /// - Returns: `nil` if nothing could be tested.
    private func answer(_ values: [OutcomeValue], _ target: Target) -> Answer? {
        let result = OutcomeResult(testing: outcome, values)
        let contrasts: [ConditionContrasts.Contrast]
        switch (result.finding, target) {
        case (.arms(let groups), .arm): contrasts = groups.contrasts
        case (.conditions(let found), .condition(let factor, _)) where found.factor == factor:
            contrasts = found.contrasts
        case (.change(_, let contrast?), .everyValue): contrasts = [contrast]
        case (.arms, _), (.conditions, _), (.change, _), (.mean, _), (.none, _): return nil
        }
        let own = contrasts.filter { target.name.map([$0.first, $0.second].contains) ?? true }
        guard let p = result.p, !own.isEmpty else { return nil }
        return Answer(p: p, contrasts: own)
    }

    private func find(in study: SimulatedStudy) throws(PowerProblem) -> Target {
        guard !study.values.isEmpty else { throw .noValues }
        let names: [String]
        let target: (String) -> Target
        let result = OutcomeResult(testing: outcome, study.values)
        switch result.finding {
        case .arms(let groups): (names, target) = (groups.groups.map(\.name), Target.arm)
        case .conditions(let found):
            (names, target) = (found.conditions, { .condition(found.factor, $0) })
        case .change:
            guard let named else { return .everyValue }
            throw .noConditions(named)
        case .mean: throw .nothingToCompare
        case .none: throw .noAnswer(result.remarks)
        }
        if let named {
            guard names.contains(named) else { throw .unknownCondition(named, among: names) }
            return target(named)
        }
        guard names.count == 2, let last = names.last else { throw .severalConditions(names) }
        return target(last)
    }
}

extension PowerSimulation.Target {
    fileprivate func adding(_ effect: Double, to value: OutcomeValue) -> OutcomeValue {
        let has =
            switch self {
            case .arm(let name): value.arm == name
            case .condition(let factor, let name): factor.condition(of: value) == name
            case .everyValue: true
            }
        var value = value
        if has { value.value += effect }
        return value
    }
}

/// The values of the primary outcome in a study of simulated participants.
package struct SimulatedStudy: Sendable {
    /// The participants in the order in which they came.
    var participants: [String]
    var values: [OutcomeValue] = []

    init(participants: [String], values: [OutcomeValue]) {
        self.participants = participants
        self.values = values
    }

    /// - Parameters:
    ///   - folder: the folder of the participants' bundles.
    ///   - participants: their codes, in the order in which they came.
    /// - Throws: `FileFailure` if a bundle cannot be read.
    package init(in folder: String, of outcome: Outcome, participants: [String]) async throws {
        self.init(participants: participants, values: [])
        var key = outcome
        key.rank = .usual
        var search = BundleSearch(known: [])
        try search.look(in: folder)
        try await BundleRows.read(search.bundles) { _, rows in
            let rows = try rows.get()
            for run in try RecordedRun.runs({ rows[$0].ndjson }) {
                values += OutcomesOfRun(run, [outcome]).values[key] ?? []
            }
        }
    }
}

/// Why power cannot be simulated.
package enum PowerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case noValues
    case nothingToCompare
    case noAnswer([String])
    case noConditions(String)
    case unknownCondition(String, among: [String])
    case severalConditions([String])

    package var description: String {
        switch self {
        case .noValues: "no simulated participant has a value of the primary outcome"
        case .nothingToCompare:
            "the primary outcome is compared with nothing: it has a mean and no test. Make it 'relativeTo' another step, "
                + "or give participants several conditions"
        case .noAnswer(let remarks):
            (["the values of simulated participants do not vary, or are too few"] + remarks).joined(
                separator: ". ")
        case .noConditions(let name):
            "the effect is added to all values, relative to another step: leave out --in '\(printable(name))'"
        case .unknownCondition(let name, let names):
            "'\(printable(name))' is not among those that are compared: \(Self.list(names))"
        case .severalConditions(let names):
            "say with --in which one has the effect: \(Self.list(names))"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.map { printable($0) }.joined(separator: ", ")
    }
}
