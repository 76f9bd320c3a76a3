import Statistics
import TextFormat

extension ConditionContrasts {
    /// How many contrasts are listed for people; `--format json` has all of them.
    package static let listed = 28

    /// The contrasts that people are shown: all of them, or those with the smallest p.
    package var shown: [Contrast] {
        guard contrasts.count > Self.listed, contrasts.indices.contains(Self.listed) else { return contrasts }
        let limit = contrasts.map(\.p).sorted()[Self.listed]
        return contrasts.filter { $0.p < limit }
    }

    /// Says that not all contrasts are shown, if so.
    package var notShown: String? {
        shown.count < contrasts.count
            ? "The \(shown.count) with the smallest p of \(contrasts.count) contrasts; --format json has all."
            : nil
    }

    /// The contrasts as text for people.
    ///
    /// - Parameter hasOmnibus: whether the omnibus test is included.
    func lines(hasOmnibus: Bool = true) -> [String] {
        let title = "\(quantity.singular), difference between \(factor.plural)\(quantity.unitBehind)"
        let sentences =
            (hasOmnibus ? [omnibusSentence()] : []) + [Self.intervals] + remarks
            + (notShown.map { [$0] } ?? [])
        return Self.lines(of: shown, under: title, places: quantity.places) + sentences.map { "  " + $0 }
    }

    /// A line for each contrast, below a heading.
    static func lines(of contrasts: [Contrast], under title: String, places: Int) -> [String] {
        let names = contrasts.map { "\(printable($0.first)) - \(printable($0.second))" }
        let width = max(title.count, names.map(\.count).max() ?? 0) + 1
        let head =
            padded(title, to: width)
            + "   n    mean     SE     df       t   size  95 % interval     p       Holm"
        return [head]
            + zip(names, contrasts).map { name, contrast in
                padded(name, to: width) + padded("\(contrast.participants)", to: 4, isRight: true)
                    + padded(signed(contrast.estimate, places), to: 8, isRight: true)
                    + padded(decimals(contrast.error, places), to: 7, isRight: true)
                    + padded(decimals(contrast.degrees, 1), to: 7, isRight: true)
                    + padded(signed(contrast.t, 2), to: 8, isRight: true)
                    + padded(contrast.size.map { signed($0.value, 2) } ?? "–", to: 7, isRight: true)
                    + "  " + padded(words(contrast.interval, places), to: 16) + "  "
                    + padded(pText(contrast.p), to: 8) + pText(contrast.correctedP)
            }
    }

    package static let intervals =
        "Each interval and p is for one contrast alone; Holm's p is corrected for all contrasts of the table. A size is the "
        + "difference divided by the standard deviation of differences within a participant."
}
