import Datasets

/// How conditions differ: the contrasts of one measure, with what was asked and adjusted for.
struct ContrastTable {
    private let contrasts: ConditionContrasts

    init(_ contrasts: ConditionContrasts) { self.contrasts = contrasts }

    var heading: String {
        "\(contrasts.measureName): differences between \(contrasts.factor.plural)"
    }

    var note: String {
        ([contrasts.omnibusSentence] + contrasts.remarks + [ConditionContrasts.intervals]
            + (contrasts.notShown.map { [$0] } ?? [])).joined(separator: " ")
    }

    var html: String {
        let unit = contrasts.measure == .heartRate ? "1/min" : "ms"
        return HTML.table(
            [
                ("contrast", false), ("participants", true), ("difference, \(unit) (95 % interval)", true),
                ("SE", true), ("df", true), ("t", true), ("p", true), ("p after Holm", true),
            ],
            contrasts.shown.map { contrast in
                [
                    HTML.cell("\(contrast.first) − \(contrast.second)"), "\(contrast.participants)",
                    "\(Axis.signed(contrast.estimate)) (\(Axis.signed(contrast.interval.lowerBound)) to "
                        + "\(Axis.signed(contrast.interval.upperBound)))",
                    Axis.decimals(contrast.error, 2), Axis.decimals(contrast.degrees, 1),
                    Axis.signed(contrast.t), HTML.escaped(pText(contrast.p)),
                    HTML.escaped(pText(contrast.correctedP)),
                ]
            })
    }
}
