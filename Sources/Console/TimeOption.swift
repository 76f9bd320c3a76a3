import ArgumentParser

/// A time on the command line, in whole seconds, minutes or hours, from 1 s to 100,000 h: `90s`, `10 min` or `2h`.
package struct TimeOption: ExpressibleByArgument {
    private let seconds: Int

    package var duration: Duration { .seconds(seconds) }

    package init(seconds: Int) { self.seconds = seconds }

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unit = argument.dropFirst(digits.count).drop { $0 == " " }
        guard let count = Int(digits), (1...100_000).contains(count),
            let length = Self.units.first(where: { $0.name == unit })?.seconds
        else { return nil }
        seconds = count * length
    }

    package var defaultValueDescription: String {
        let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
        return "\(seconds / unit.seconds)\(unit.name)"
    }

    private static let units: [(name: String, seconds: Int)] = [("h", 3600), ("min", 60), ("s", 1)]
}
