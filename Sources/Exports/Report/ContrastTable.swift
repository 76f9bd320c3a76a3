import Analysing
import Datasets
import Statistics

/// How conditions or groups differ: the contrasts of one measure, with how they were tested folded below.
struct ContrastTable {
    let heading: String
    let html: String

    init(_ contrasts: ConditionContrasts, in study: StudyResponse) {
        heading = "\(contrasts.quantity.plural): differences between \(contrasts.factor.plural)"
        html =
            Self.table(of: contrasts.shown, contrasts.quantity.symbol, study.naming(contrasts.factor))
            + HTML.details(
                "How it was tested",
                HTML.sentences(
                    [contrasts.omnibusSentence(), contrasts.spreadSentence].compactMap(\.self)
                        + Self.remarks(on: contrasts)))
    }

    init(_ outcome: OutcomeResult, in study: StudyResponse) {
        let quantity = study.quantity(of: outcome.outcome)
        let rank = outcome.title.prefix { $0 != "," }
        heading = "\(rank): \(quantity.singular)"
        var sentences = outcome.answer
        if case .conditions(var contrasts) = outcome.finding {
            contrasts.quantity = quantity
            // What differs most is in the answer and in the table.
            sentences =
                [contrasts.omnibusSentence(correctedP: outcome.correctedP), contrasts.spreadSentence]
                .compactMap(\.self) + outcome.corrected + Self.remarks(on: contrasts)
        }
        let name = study.naming(outcome)
        let both = outcome.armsByConditions
        html =
            (outcome.contrasts.isEmpty ? "" : Self.table(of: outcome.contrasts, quantity.symbol, name))
            + HTML.sentences(outcome.caveats)
            + HTML.details("How it was tested", HTML.sentences(sentences + outcome.methods))
            + Self.sensitivity(of: outcome)
            + (both.map {
                HTML.details(
                    "Whether arms differ in what the \($0.factor.plural) do",
                    "<p>\(HTML.escaped($0.note))</p>\n"
                        + Self.table(of: $0.contrasts, quantity.symbol, study.naming($0.factor)))
            } ?? "")
    }

    /// One sentence each.
    private static func remarks(on contrasts: ConditionContrasts) -> [String] {
        contrasts.remarks + [ConditionContrasts.intervals] + (contrasts.notShown.map { [$0] } ?? [])
    }

    /// The results of the outcome with other choices of values.
    private static func sensitivity(of outcome: OutcomeResult) -> String {
        let rows = SensitivityCheck.rows(outcome.sensitivity, outcome.quantity)
        guard rows.count > 1, let head = rows.first else { return "" }
        return HTML.details(
            "With other choices of values",
            "<p>\(HTML.escaped(SensitivityCheck.sentence(outcome.sensitivity)))</p>\n"
                + HTML.table(
                    head.enumerated().map { ($1, $0 > 0) }, rows.dropFirst().map { $0.map(HTML.escaped) }))
    }

    private static func table(
        of contrasts: [ConditionContrasts.Contrast], _ unit: String, _ name: (String) -> String
    ) -> String {
        let measured = unit.isEmpty ? "difference" : "difference, \(unit)"
        return HTML.table(
            [
                ("contrast", false), ("participants", true), ("\(measured) (95 % interval)", true),
                ("size (95 % interval)", true), ("SE", true), ("df", true), ("t", true), ("p", true),
                ("p after Holm", true),
            ],
            contrasts.map { contrast in
                [
                    HTML.cell("\(name(contrast.first)) − \(name(contrast.second))"),
                    "\(contrast.participants)",
                    Axis.signed(contrast.estimate, contrast.interval),
                    contrast.size.map { Axis.signed($0.value, $0.interval) } ?? "–",
                    Axis.decimals(contrast.error, 2), Axis.decimals(contrast.degrees, 1),
                    Axis.signed(contrast.t), HTML.escaped(pText(contrast.p)),
                    HTML.escaped(pText(contrast.correctedP)),
                ]
            })
    }
}
