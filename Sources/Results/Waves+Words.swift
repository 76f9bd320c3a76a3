package import StudyModel
import TextFormat

extension FileResult.Waves {
    /// The channels and their rate, in words: `x, y, z in [g], 50.0 a second`.
    package var words: String {
        let names = layout.channels.map { printable($0.name) }
        let units = Set(layout.channels.map(\.unit))
        let channels =
            units.count == 1
            ? names.joined(separator: ", ")
                + (units.first.flatMap { $0 }.map { " in \(printable($0))" } ?? "")
            : zip(names, layout.channels).map { name, channel in
                name + (channel.unit.map { " in \(printable($0))" } ?? "")
            }.joined(separator: ", ")
        let measured = (rate ?? layout.rate).map { ", \(($0 * 10).rounded() / 10) a second" } ?? ""
        return channels + measured
    }
}
