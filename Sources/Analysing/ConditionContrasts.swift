package import Statistics
import StudyModel

/// How heart responses differ between the conditions of a study, within participants.
///
/// A mixed model with an intercept for each participant adjusts for the session, the position within it, the rest
/// before and the condition before. It explains the mean of each participant and condition. Its standard errors do not
/// assume that differences between conditions vary alike.
package struct ConditionContrasts: Sendable {
    package var quantity: Quantity
    package var factor: ConditionFactor
    /// The conditions, in order.
    package var conditions: [String]
    /// The names of two factors, if the test asks whether the effect of the first depends on the second; else empty.
    package var crossing: [String]
    /// How many responses and participants are included.
    package var responses: Int
    /// How many means of a participant and a condition they give: the rows of the model.
    package var means: Int
    package var participants: Int
    /// How many participants lack responses to one or more conditions. Their other responses count.
    package var incompleteParticipants: Int
    package var omnibus: OmnibusTest
    /// All pairs of conditions.
    package var contrasts: [Contrast]
    /// What the model adjusts for.
    package var adjustments: [Adjustment]
    /// Standard deviation between participants; 0 is a singular fit.
    package var participantDeviation: Double
    package var residualDeviation: Double
    package var outliers: [Outlier]
    /// How the conditions differ in spread, if they do.
    package var unevenSpread: UnevenSpread?

    /// What is compared.
    package enum Measure: String, Sendable, CaseIterable { case heartRate, rmssd }

    /// Two conditions.
    package struct Contrast: Sendable {
        package var first: String
        package var second: String
        /// How many participants have responses to both conditions.
        package var participants: Int
        /// First minus second.
        package var estimate: Double
        package var error: Double
        package var degrees: Double
        /// The interval for this contrast alone.
        package var interval: ClosedRange<Double>
        /// The p value of this contrast alone.
        package var p: Double
        /// Corrected by Holm's method for all contrasts of the same factor and measure.
        package var correctedP: Double
        /// The estimate divided by a standard deviation: of differences within participants, or of participants
        /// within an arm.
        package var size: EffectSize?

        package var t: Double { estimate / error }
    }

    /// Whether any conditions differ.
    package struct OmnibusTest: Sendable {
        package var f: Double
        package var numerator: Int
        package var denominator: Double
        /// How alike the differences between conditions vary, after Greenhouse and Geisser: 1 if they do. Both degrees
        /// of freedom are multiplied with it for p.
        package var epsilon: Double
        package var p: Double
        /// The same test without the assumption of normal distributions.
        package var flips: SignFlips
    }

    /// A mean that lies far from what the model expects.
    package struct Outlier: Sendable {
        package var participant: String
        package var clip: String
        /// The distance in residual standard deviations.
        package var distance: Double
    }

    /// With fewer participants than this, degrees of freedom are only a guess.
    package static let fewParticipants = 10
    package static let mostConditions = Outcome.mostLevels

    /// Whether participants differ no more than the residuals explain.
    package var isSingular: Bool { participantDeviation == 0 }

    init(
        _ rows: [ContrastRow], _ quantity: Quantity, _ factor: ConditionFactor, crossing: [String] = [],
        drawnFlips: Int, using random: inout some RandomNumberGenerator
    ) throws(NoContrasts) {
        let design = try ContrastDesign(rows, quantity, factor, isCrossed: !crossing.isEmpty)
        guard
            let model = MixedModel(
                design.values, on: design.columns, groups: design.groups),
            case let robust = RobustModel(model, groups: design.groups),
            let test = robust.test(of: Array(design.testedColumns), inOwnStratum: !crossing.isEmpty),
            let scores = design.scores
        else { throw NoContrasts(quantity, factor, .noVariation) }
        self.quantity = quantity
        self.factor = factor
        conditions = design.conditions
        self.crossing = crossing
        responses = rows.count
        means = design.values.count
        participants = design.heard.count
        incompleteParticipants = design.heard.count { $0.count < design.conditions.count }
        omnibus = OmnibusTest(
            f: test.f, numerator: test.numerator, denominator: test.denominator,
            epsilon: test.epsilon,
            p: StudentT.share(
                aboveF: test.f, test.epsilon * Double(test.numerator), test.epsilon * test.denominator),
            flips: SignFlips(scores, drawn: drawnFlips, using: &random))
        adjustments = design.adjustments(kept: model.kept)
        participantDeviation = (model.ratio * model.residualVariance).squareRoot()
        residualDeviation = model.residualVariance.squareRoot()
        contrasts = []
        outliers = Self.outliers(model, design)
        unevenSpread = design.unevenSpread
        addContrasts(robust, design)
    }

    private mutating func addContrasts(_ model: RobustModel, _ design: ContrastDesign) {
        let deviation = residualDeviation
        let add = { (first: String, second: String, shares: [Int: Double]) in
            model.estimate(design.weights(shares)).map { estimate in
                Contrast(
                    first, second,
                    participants: design.heard.count { $0.isSuperset(of: shares.keys) }, estimate,
                    deviation: Double(shares.count).squareRoot() * deviation)
            }
        }
        let pairs = { (count: Int) in
            (0..<count).flatMap { first in (first + 1..<max(count, first + 1)).map { (first, $0) } }
        }
        if design.cells.isEmpty {
            contrasts = pairs(conditions.count).compactMap { first, second in
                add(conditions[first], conditions[second], [first: 1, second: -1])
            }
        } else {
            // What the first factor does at each level of the second, and how far these effects differ.
            let (cells, names) = (design.cells, design.levelNames)
            contrasts = names[1].indices.flatMap { level in
                pairs(cells.count).compactMap { first, second in
                    let (one, other) = (cells[first][level], cells[second][level])
                    return add(conditions[one], conditions[other], [one: 1, other: -1])
                }
            }
            contrasts += pairs(cells.count).flatMap { first, second in
                pairs(names[1].count).compactMap { level, other in
                    add(
                        "(\(names[0][first]) - \(names[0][second])) in \(names[1][level])",
                        "in \(names[1][other])",
                        [
                            cells[first][level]: 1, cells[second][level]: -1, cells[first][other]: -1,
                            cells[second][other]: 1,
                        ])
                }
            }
        }
        contrasts.correctAfterHolm()
    }

    /// Residuals of a size that only one in twenty studies like this would contain.
    private static func outliers(_ model: MixedModel, _ design: ContrastDesign) -> [Outlier] {
        let limit = StudentT(degrees: model.residualDegrees)
            .quantile(1 - 0.025 / Double(model.residuals.count))
        let deviation = model.residualVariance.squareRoot()
        return zip(design.sources, model.residuals).compactMap { response, residual in
            abs(residual) > limit * deviation
                ? Outlier(
                    participant: response.participant, clip: response.label, distance: residual / deviation)
                : nil
        }
    }
}

/// Why conditions were not compared.
package struct NoContrasts: Error, Sendable {
    package var quantity: Quantity
    package var factor: ConditionFactor
    package var reason: Reason

    package enum Reason: String, Sendable {
        case notWithin = "fewer than two participants have responses to several of them"
        case tooMany = "there are more than 24 of them"
        case notCrossed = "a combination of the two factors' levels has no values"
        case noVariation = "there are too few responses, or they do not vary"
    }

    init(_ quantity: Quantity, _ factor: ConditionFactor, _ reason: Reason) {
        (self.quantity, self.factor, self.reason) = (quantity, factor, reason)
    }
}

extension ConditionContrasts.Contrast {
    /// - Parameters:
    ///   - estimate: the first condition minus the second.
    ///   - deviation: the standard deviation that the effect size is based on.
    init(
        _ first: String, _ second: String, participants: Int, _ estimate: MixedModel.Estimate,
        deviation: Double
    ) {
        let t = StudentT(degrees: estimate.degrees)
        let half = t.quantile(0.975) * estimate.error
        let p = 2 * t.share(below: -abs(estimate.value / estimate.error))
        self.init(
            first: first, second: second, participants: participants, estimate: estimate.value,
            error: estimate.error, degrees: estimate.degrees,
            interval: estimate.value - half...estimate.value + half,
            p: p, correctedP: p,
            size: EffectSize(estimate.value, error: estimate.error, degrees: estimate.degrees, by: deviation))
    }
}

extension [ConditionContrasts.Contrast] {
    mutating func correctAfterHolm() {
        for (index, corrected) in zip(indices, correctedAfterHolm(map(\.p))) {
            self[index].correctedP = corrected
        }
    }
}

/// What distinguishes the conditions.
package enum ConditionFactor: String, Sendable, CaseIterable {
    case clip, mood, tempo
    /// The condition of a block's round, the task, and the participant's session.
    case condition, task, session
    /// The levels of the factors that an outcome names.
    case level

    /// - Returns: `nil` if the clip does not say.
    func condition(of clip: HeardClip) -> String? {
        switch self {
        case .clip: clip.name
        case .mood: clip.mood
        case .tempo: clip.tempo.map { TempoBand(of: $0).rawValue }
        case .condition, .task, .session, .level: nil
        }
    }
}

/// A variable that the model adjusts for, and how far it can.
package struct Adjustment: Sendable {
    package var kind: Kind
    /// How many of its columns the model has.
    package var kept: Int
    /// How many columns it would have. If fewer are kept, the others cannot be distinguished from earlier columns.
    package var columns: Int
    /// Whether it was left out because contrasts would be less than half as precise.
    package var isTooCostly = false

    package enum Kind: String, Sendable { case session, place, rest, before }
}
