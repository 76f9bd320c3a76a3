import Analysing
import Datasets
import Statistics

/// Heart responses: a row for all clips, each mood and each clip, with mean and 95 % interval.
struct ResponseChart {
    private let study: StudyResponse

    init(of study: StudyResponse) { self.study = study }

    /// The slope over tempo has another unit, and is only in the table.
    var html: String {
        let rows = study.groups.filter { $0.kind != .slope }.map { group in
            ForestPlot.Row(
                name: name(of: group), estimate: group.difference.mean, interval: group.difference.interval,
                isSum: group.kind != .clip)
        }
        return rows.isEmpty
            ? "<p class=\"none\">No clip could be analysed.</p>\n"
            : ForestPlot(rows: rows, quantity: "change of the heart rate, 1/min").html(
                "Squares sum up several clips.")
    }

    /// Effect sizes, RMSSD and the size of a future study, for every group.
    var table: String {
        let rows = study.groups.map { group -> [String] in
            let variability = group.variability?.difference
            let short = group.variability.map { "\($0.ultraShort) of \($0.clips)" }
            return [
                HTML.cell(name(of: group)), "\(group.difference.count)", "\(group.clips)",
                Axis.signed(group.difference.mean, group.difference.interval),
                HTML.escaped(pText(group.difference.p)), group.difference.effectSize.map(Axis.signed) ?? "–",
                variability.map { Axis.signed($0.mean, $0.interval) } ?? "–", short ?? "–",
                group.power?.participantsFor80.map { "\($0)" } ?? "–",
            ]
        }
        return HTML.table(
            [
                ("group", false), ("participants", true), ("clips", true),
                ("change, 1/min (95 % interval)", true), ("p", true), ("dz", true),
                ("RMSSD change, ms (95 % interval)", true), ("below 60 s", true), ("n for 80 % power", true),
            ], rows)
    }

    private func name(of group: StudyResponse.Group) -> String {
        switch group.kind {
        case .all, .tempo: group.name
        case .clip: study.called(group.name)
        case .slope: "slope \(group.name)"
        case .mood: "mood \(group.name)"
        }
    }
}
