import Statistics
import TextFormat

extension StudyResponse {
    /// What to know of those who took part beside others; `nil` if nobody did.
    var companionWarning: String? {
        guard !companions.isEmpty else { return nil }
        return
            "\(counted(companions.count, "participant")) took part in the run of another, and only the other was asked: "
            + companions.map { printable($0) }.joined(separator: ", ")
            + ". The tests take all hearts as independent, also those of one run."
    }

    /// What to know before any figure is believed.
    package var remarks: [String] { [dropoutWarning, companionWarning].compactMap(\.self) }

    /// How alike the hearts of participants of the same run were; empty if nobody took part in a run of several.
    var togetherLines: [String] {
        guard !together.isEmpty else { return [] }
        let width = max(together.map { $0.title.count }.max() ?? 0, HeartsTogether.head.count) + 1
        return [
            padded(HeartsTogether.head, to: width)
                + "runs  pairs       r  95 % interval    apart  pairs  p"
        ] + together.map { padded($0.title, to: width) + $0.line } + [HeartsTogether.explanation]
    }
}

extension HeartsTogether {
    fileprivate static let head = "hearts of the same run, correlated"
    fileprivate static let explanation =
        "  r: Pearson's, of heart rates second by second; apart: of participants of different runs, at the same clip or "
        + "step; p: that being together makes no difference, not corrected"

    fileprivate var title: String { isClip ? "clip \(printable(name))" : "step \(printable(name))" }

    fileprivate var line: String {
        padded("\(runs)", to: 4, isRight: true) + padded("\(pairs)", to: 7, isRight: true)
            + padded(signed(together, 2), to: 8, isRight: true) + "  " + padded(words(interval, 2), to: 16)
            + padded(apart.map { signed($0, 2) } ?? "–", to: 6, isRight: true)
            + padded("\(pairsApart)", to: 7, isRight: true) + "  " + (difference.map { pText($0.p) } ?? "–")
    }
}
