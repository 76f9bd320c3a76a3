import TextFormat

extension DurationText {
    /// What to write instead of a text that is not a duration: `90 min` for `1 h 30 min`, `1.5 min` for `1,5 min`.
    static func help(for text: String) -> Help {
        let plain = straightened(text)
        if DecimalText.number(plain) != nil {
            return digits(plain).map {
                Help("the unit is missing: write '\($0.text) s' for seconds, or '\($0.text) min' for minutes")
            } ?? usual
        }
        if let seconds = seconds(ofClock: plain) {
            return Help(
                "write '\(seconds) s' for minutes and seconds, or '\(seconds) min' for hours and minutes")
        }
        guard let parts = parts(of: plain), let meant = written(parts) else { return usual }
        if seconds(of: parts) > 86_400 {
            return "write a duration of at most 1440 min (24 h)"
        }
        if DecimalText.mayGroup(text) {
            return Help("write '\(meant)' if the comma is a decimal point; thousands are not grouped")
        }
        if text.contains(",") { return .write(meant, "write a point: '\(meant)'") }
        return meant == plain && text != plain
            ? .write(meant, "write '\(meant)' with plain characters: an ordinary space, ordinary quotes")
            : .write(meant)
    }

    private static let usual: Help = "write a number, a space and ms, s or min, such as '30 s'"

    private struct Unit {
        var name: String
        var seconds: Double
        /// How people write the unit, in the languages of the program.
        var words: Set<String>
    }

    private static let units = [
        Unit(
            name: "ms", seconds: 0.001,
            words: [
                "ms", "msec", "millisecond", "milliseconds", "millisekunden", "millisecondes", "milisegundos",
            ]),
        Unit(
            name: "s", seconds: 1,
            words: [
                "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "seconde", "secondes",
                "seg", "segundo", "segundos",
            ]),
        Unit(
            name: "min", seconds: 60,
            words: ["m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos"]),
        Unit(
            name: "h", seconds: 3600,
            words: [
                "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora",
                "horas",
            ]),
    ]

    private struct Part {
        var digits: String
        var value: Double
        var unit: Unit
    }

    private static func seconds(of parts: [Part]) -> Double {
        parts.reduce(0) { $0 + $1.value * $1.unit.seconds }
    }

    /// The text with points for commas, and without the characters that word processors substitute for plain ones.
    private static func straightened(_ text: String) -> String {
        let quotes = "\"'“”„‟‘’‚«»"
        let spaces = "\u{A0}\u{202F}\u{2009}\u{2007}"
        return String(
            text.compactMap { character -> Character? in
                if quotes.contains(character) { return nil }
                if spaces.contains(character) { return " " }
                return character == "," ? "." : character
            })
    }

    /// `1 h 30 min` as numbers with their units; `nil` if it contains anything else.
    private static func parts(of text: String) -> [Part]? {
        var parts: [Part] = []
        var rest = text[...].drop { $0 == " " }
        while !rest.isEmpty {
            var number = rest.prefix { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
            var after = rest.dropFirst(number.count)
            let exponent = after.dropFirst().prefix { $0.isASCII && ($0.isNumber || "-+".contains($0)) }
            if after.first == "e", !exponent.isEmpty {
                number = rest[..<exponent.endIndex]
                after = rest[exponent.endIndex...]
            }
            after = after.drop { $0 == " " }
            let word = after.prefix { $0.isLetter }
            let unit = units.first { $0.words.contains(word.lowercased()) }
            guard let digits = digits(number), let unit else { return nil }
            parts.append(Part(digits: digits.text, value: digits.value, unit: unit))
            rest = after.dropFirst(word.count).drop { $0 == " " || $0 == "." }
        }
        return parts.isEmpty ? nil : parts
    }

    /// The parts as one duration of the format.
    private static func written(_ parts: [Part]) -> String? {
        if parts.count == 1, let part = parts.first, part.unit.name != "h" {
            return "\(part.digits) \(part.unit.name)"
        }
        let seconds = seconds(of: parts)
        guard seconds > 0, seconds < 1e9 else { return nil }
        let minutes = seconds / 60
        return minutes == minutes.rounded()
            ? "\(plainNumber(minutes)) min" : "\(plainNumber(seconds)) s"
    }

    /// A number as the format writes it, with a digit before the point and no exponent.
    private static func digits(_ text: some StringProtocol) -> (text: String, value: Double)? {
        let text = String(text)
        guard let number = DecimalText.number(text) else { return nil }
        let isUsual = text.allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        if isUsual, parts.allSatisfy({ !$0.isEmpty }) { return (text, number) }
        let written = plainNumber(number)
        return written.contains("e") || !number.isFinite ? nil : (written, number)
    }

    /// `1:30`
    private static func seconds(ofClock text: String) -> Int? {
        let clock = text.split(separator: ":").map { Int($0) }
        guard clock.count == 2, let minutes = clock[0], let seconds = clock[1],
            (0..<1440).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        return minutes * 60 + seconds
    }
}
