import Analysing
import Datasets
import Statistics

/// How conditions or groups differ: the contrasts of one measure, with the test and the adjustments.
struct ContrastTable {
    let heading: String
    let note: String
    private let contrasts: [ConditionContrasts.Contrast]
    private let unit: String
    /// The text after the table.
    private let more: String

    init(_ contrasts: ConditionContrasts) {
        heading = "\(contrasts.quantity.plural): differences between \(contrasts.factor.plural)"
        note = Self.remarks(on: contrasts)
        self.contrasts = contrasts.shown
        unit = contrasts.quantity.symbol
        more = ""
    }

    init(_ outcome: OutcomeResult) {
        heading = outcome.title
        var sentences = outcome.answer
        if case .conditions(let contrasts) = outcome.finding { sentences.append(Self.remarks(on: contrasts)) }
        note = (sentences + outcome.notes).joined(separator: " ")
        contrasts = outcome.contrasts
        unit = outcome.quantity.symbol
        more =
            Self.sensitivity(of: outcome)
            + (outcome.armsByConditions.map {
                "<p>\(HTML.escaped($0.note))</p>\n" + Self.table(of: $0.contrasts, outcome.quantity.symbol)
            } ?? "")
    }

    private static func remarks(on contrasts: ConditionContrasts) -> String {
        ([contrasts.omnibusSentence(), contrasts.spreadSentence].compactMap(\.self) + contrasts.remarks + [
            ConditionContrasts.intervals
        ]
            + (contrasts.notShown.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// The results of the outcome with other choices of values.
    private static func sensitivity(of outcome: OutcomeResult) -> String {
        let rows = SensitivityCheck.rows(outcome.sensitivity, outcome.quantity)
        guard rows.count > 1, let head = rows.first else { return "" }
        return "<p>\(HTML.escaped(SensitivityCheck.sentence(outcome.sensitivity)))</p>\n"
            + HTML.table(
                head.enumerated().map { ($1, $0 > 0) }, rows.dropFirst().map { $0.map(HTML.escaped) })
    }

    var html: String { contrasts.isEmpty ? "" : Self.table(of: contrasts, unit) + more }

    private static func table(of contrasts: [ConditionContrasts.Contrast], _ unit: String) -> String {
        let measured = unit.isEmpty ? "difference" : "difference, \(unit)"
        return HTML.table(
            [
                ("contrast", false), ("participants", true), ("\(measured) (95 % interval)", true),
                ("size (95 % interval)", true), ("SE", true), ("df", true), ("t", true), ("p", true),
                ("p after Holm", true),
            ],
            contrasts.map { contrast in
                [
                    HTML.cell("\(contrast.first) − \(contrast.second)"), "\(contrast.participants)",
                    "\(Axis.signed(contrast.estimate)) (\(Axis.signed(contrast.interval.lowerBound)) to "
                        + "\(Axis.signed(contrast.interval.upperBound)))",
                    contrast.size.map {
                        "\(Axis.signed($0.value)) (\(Axis.signed($0.interval.lowerBound)) to "
                            + "\(Axis.signed($0.interval.upperBound)))"
                    } ?? "–",
                    Axis.decimals(contrast.error, 2), Axis.decimals(contrast.degrees, 1),
                    Axis.signed(contrast.t), HTML.escaped(pText(contrast.p)),
                    HTML.escaped(pText(contrast.correctedP)),
                ]
            })
    }
}
