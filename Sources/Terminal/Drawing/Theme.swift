import Glibc

/// A colour, each part from 0 to 1.
package struct Colour: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// As terminals answer: `rgb:1e1e/1e1e/2e2e`, with one to four digits for each part.
    package init?(_ text: String) {
        let parts = text.split(separator: ":").last?.split(separator: "/") ?? []
        let values = parts.compactMap { part -> Double? in
            guard (1...4).contains(part.count), let value = UInt16(part, radix: 16) else { return nil }
            return Double(value) / Double((1 << (4 * part.count)) - 1)
        }
        guard text.hasPrefix("rgb"), values.count == parts.count, (3...4).contains(values.count) else {
            return nil
        }
        self.init(red: values[0], green: values[1], blue: values[2])
    }

    /// One of the 240 colours of a terminal that everybody draws alike: 16...231 is a cube, 232...255 are greys.
    package init(indexed index: Int) {
        func part(_ step: Int) -> Double { step == 0 ? 0 : Double(55 + 40 * step) / 255 }
        if index >= 232 {
            let grey = Double(8 + 10 * (index - 232)) / 255
            self.init(red: grey, green: grey, blue: grey)
        } else {
            let step = index - 16
            self.init(red: part(step / 36), green: part(step / 6 % 6), blue: part(step % 6))
        }
    }

    /// Whether terminals of a type have those 240 colours, rather than 16 of which nobody knows how they are drawn.
    static func areIndexed(on type: String) -> Bool {
        !["linux", "vt", "ansi"].contains(where: type.hasPrefix)
            && !["-16color", "-8color", "-color", "-mono", "-m"].contains(where: type.hasSuffix)
    }

    /// How well one is read on the other, 1...21: WCAG 2.2.
    package func contrast(to other: Colour) -> Double {
        let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (high + 0.05) / (low + 0.05)
    }

    /// Such as `#1e1e2e`.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return "#"
            + [red, green, blue].map { part in
                let byte = Int((min(1, max(0, part)) * 255).rounded())
                return String([digits[byte / 16], digits[byte % 16]])
            }.joined()
    }

    private var luminance: Double {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}

/// How words stand out on a background: five colours besides the terminal's own. Everything can be read: 4.5 to 1 at
/// least, as WCAG 2.2 asks for.
struct Theme: Hashable, Sendable {
    private let accent: String
    private let quiet: String
    private let problem: String
    private let warning: String
    private let good: String

    static let leastContrast = 4.5
    /// From the faintest on a dark background to the faintest on a bright one.
    static let blues = [75, 111, 153, 26, 25, 18, 17]
    static let greys = Array(244...255) + (232...243).reversed()
    static let reds = [203, 210, 217, 160, 124, 88, 52]
    static let ambers = [214, 221, 229, 130, 94, 58]
    static let greens = [34, 40, 46, 157, 28, 22]

    /// - Parameter background: `nil` if it is not known, or if there shall be no colours: then words have the colour that
    ///   the terminal gives them, and stand out by bold and reversed letters, lines below them and marks beside them.
    init(on background: Colour?) {
        func first(_ colours: [Int]) -> String? {
            guard let background else { return nil }
            return colours.first { Colour(indexed: $0).contrast(to: background) >= Self.leastContrast }
                .map { "38;5;\($0)" }
        }
        func bold(_ colours: [Int]) -> String {
            ["1", first(colours)].compactMap(\.self).joined(separator: ";")
        }
        accent = bold(Self.blues)
        quiet = first(Self.greys) ?? ""
        problem = bold(Self.reds)
        warning = bold(Self.ambers)
        good = first(Self.greens) ?? ""
    }

    /// What a terminal is told before words of a style.
    func rendition(_ style: Style) -> String {
        switch style {
        case .plain: ""
        case .heading, .strong: "1"
        case .emphasis: "4"
        case .quiet: quiet
        case .accent: accent
        case .chosen: "7;" + accent
        case .problem: problem
        case .warning: warning
        case .good: good
        }
    }
}
