/// Days and times as people write them.
enum DatedText {
    /// What a text may mean, as the format writes it: a day such as `31.12.2010` or `2010/12/31`, a time such as `7:45`,
    /// `7.45` or `4:00 PM`. `1/2/2010` has two readings.
    static func readings(of text: String, _ isValid: (String) -> Bool) -> [String] {
        let candidates = days(in: text) + times(in: text)
        return candidates.indices.filter { candidates.firstIndex(of: candidates[$0]) == $0 }
            .map { candidates[$0] }.filter(isValid)
    }

    /// The suggestion to write what was probably meant, or what may have been.
    static func help(for text: String, otherwise usual: Help, _ isValid: (String) -> Bool) -> Help {
        let readings = readings(of: text, isValid).map(\.inQuotes)
        let words = "write \(readings.joined(separator: " or "))"
        switch readings.count {
        case 0: return usual
        case 1: return .write(readings[0], words)
        default: return Help(words + ", whichever is meant")
        }
    }

    private static func days(in text: String) -> [String] {
        let parts = text.split { !$0.isNumber }.map { $0.count == 1 ? "0\($0)" : String($0) }
        guard parts.count == 3, !text.contains(where: \.isLetter) else { return [] }
        let (a, b, c) = (parts[0], parts[1], parts[2])
        if a.count == 4 { return ["\(a)-\(b)-\(c)", "\(a)-\(c)-\(b)"] }
        // With points, the day always comes first.
        return ["\(c)-\(b)-\(a)"] + (text.contains(".") ? [] : ["\(c)-\(a)-\(b)"])
    }

    private static func times(in text: String) -> [String] {
        let word = text.lowercased().filter { $0.isLetter }
        let parts = text.split { !$0.isNumber }
        guard ["", "h", "uhr", "am", "pm"].contains(word), parts.count == 2, parts[1].count == 2,
            var hour = Int(parts[0]),
            text.drop(while: { !$0.isNumber }).dropFirst(parts[0].count).first.map({ ":.hH".contains($0) })
                == true
        else { return [] }
        if word == "am" || word == "pm" {
            guard (1...12).contains(hour) else { return [] }
            hour = hour % 12 + (word == "pm" ? 12 : 0)
        }
        return ["\(hour < 10 ? "0" : "")\(hour):\(parts[1])"]
    }
}

extension Fields {
    /// Reports limits in the wrong order.
    func reportSwapped<Value>(_ high: Field<Value>, _ message: String) {
        reading.report(
            .outOfRange, message, at: place(of: high),
            help: "swap the two, or write the limit that is meant")
    }
}
