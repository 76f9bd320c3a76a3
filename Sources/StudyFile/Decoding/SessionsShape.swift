import StudyModel
import TextFormat

/// The appointments that every participant has.
enum SessionsShape {
    /// A session with the places of what is checked once all of the study is known.
    struct Draft {
        var name: Located<Identifier>
        var title: LocalizedText?
        var task: Located<Identifier>?
        var after: After?
        var between: Located<ClosedRange<Int>>?
        var openFor: Located<Duration>?
        /// How many sessions stand for it, and how many days lie between two of them.
        var series: (times: Int, every: Int)?
        /// Whether it is of a series, and not its first.
        var isRepeated = false

        /// The sessions of its series, called `NAME-1`, `NAME-2` and so on; the session itself if it is none.
        ///
        /// Their days are counted from the session before the series or, where that may be any day, from the first of the
        /// series: who misses one comes to the next all the same.
        var expanded: [Draft] {
            guard let series else { return [self] }
            let first = Identifier("\(name.value)-1")
            return (0..<series.times).compactMap { place -> Draft? in
                guard let first, let name = Identifier("\(self.name.value)-\(place + 1)") else { return nil }
                var session = self
                (session.series, session.isRepeated) = (nil, place > 0)
                session.name.value = name
                session.title = title?.numbered(place + 1)
                let days = place * series.every
                if let own = after?.days {
                    let (first, last) = (own.value.lowerBound + days, own.value.upperBound + days)
                    session.after?.days?.value = first...last
                } else if place > 0 {
                    session.after = After(
                        session: Located(value: first, range: self.name.range),
                        days: Located(value: days...days, range: self.name.range))
                }
                return session
            }
        }

        var session: Study.Session {
            .init(
                identifier: name.value, title: title, task: task?.value,
                after: after.map { .init(session: $0.session.value, days: $0.days?.value) },
                between: between?.value, openFor: openFor.map { Int($0.value / .seconds(60)) })
        }
    }

    struct After {
        var session: Located<Identifier>
        var days: Located<ClosedRange<Int>>?
    }

    static let field = Field(
        "sessions", .list(.mapping(shape), atLeast: 1, noun: "session"), "Sessions",
        "The appointments that every participant has, in the order of their numbers.",
        example: [
            ["identifier": "baseline", "task": "MusicTask"],
            [
                "identifier": "week1", "task": "MusicTask",
                "after": ["session": "baseline", "days": [6, 8]],
                "between": ["16:00", "20:00"],
            ],
        ])

    private static let shape = Shape<Draft>(
        name: "session", title: "Session", description: "An appointment that every participant has.",
        fields: .of(identifier, title, task, after, between, openFor, times, every, Field.comment),
        rules: [.needs("every", ["times"]), .needs("openFor", ["between"])]
    ) { fields in
        let (name, title, task) = (fields[identifier], fields[title], fields[task])
        let after = fields[after]
        let between = fields.located(between)
        let openFor = fields.located(openFor)
        let (times, every) = (fields[times], fields[every])
        guard let name else { return nil }
        var draft = Draft(name: name, title: title, task: task, after: after, between: between)
        draft.openFor = openFor
        draft.series = times.map { ($0, every ?? 1) }
        if draft.expanded.count < times ?? 1 {
            fields.reading.report(
                .identifierFormat,
                "the sessions of '\(name.value)' get its name with a number, which is too long",
                at: name.range, help: "write a name of at most 60 characters")
            return nil
        }
        return draft
    }
    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The session's name, unique in the study.", example: "week1")
    private static let title = Field(
        "title", .localizedText, "Title", "The session's name for people.", example: "After one week")
    private static let task = Field(
        "task", Kind<Identifier>.identifier.located, "Task",
        "The task that is done in it; left out where there is only one, or where 'nextTask' says it.",
        example: "MusicTask")
    private static let after = Field(
        "after", .mapping(afterShape), "After",
        "The earlier session that must be complete, and how long ago.",
        example: ["session": "baseline", "days": [6, 8]])
    private static let between = Field(
        "between", timesOfDay, "Between",
        "The earliest and the latest time of the day at which it may begin, in the zone of the machine that runs it; the latest may be on the next day.",
        example: ["16:00", "20:00"])
    private static let openFor = Field(
        "openFor", .duration(), "Open for",
        "The session opens at a moment that is drawn for each participant within 'between', and stays open for this long: whole minutes.",
        example: "20 min")
    private static let times = Field(
        "times", .integer(2...366), "Times",
        "How many such sessions there are: a series, called IDENTIFIER-1, IDENTIFIER-2 and so on.",
        example: 14)
    private static let every = Field(
        "every", .integer(1...366), "Every",
        "With 'times': days from one session of the series to the next; by default 1.", example: 7)

    private static let afterShape = Shape<After>(
        name: "afterSession", title: "After",
        description: "The earlier session that must be complete, and how long ago.",
        fields: .of(earlier, days, Field.comment)
    ) { fields in
        let earlier = fields[earlier]
        let days = fields.located(days)
        return earlier.map { After(session: $0, days: days) }
    }
    private static let earlier = Field(
        "session", Kind<Identifier>.identifier.located, isRequired: true, "Session",
        "A session that stands above this one.", example: "baseline")
    private static let days = Field(
        "days", daysBehind, "Days",
        "The first and the last calendar day, counted from that of the earlier session; without it, any day from then on.",
        example: [6, 8])

    /// `[6, 8]`, or `7` for `[7, 7]`.
    private static let daysBehind: Kind<ClosedRange<Int>> = {
        let day = Kind<Int>.integer(0...3_650)
        return Kind(
            schema: { definitions in
                [
                    "anyOf": [
                        day.schema(definitions),
                        ["type": "array", "items": day.schema(definitions), "minItems": 2, "maxItems": 2],
                    ]
                ]
            },
            read: { node, reading in
                guard case .sequence(let nodes) = node.content else {
                    return day.read(node, reading).map { $0...$0 }
                }
                guard let (first, last) = reading.pair(nodes, of: day, at: node, example: "[6, 8]") else {
                    return nil
                }
                if first <= last { return first...last }
                reading.report(
                    .sessionWindow, "the last day, \(last), comes before the first, \(first)", at: node.range,
                    help: "swap the two, or write others")
                return nil
            })
    }()

    /// `["16:00", "20:00"]`; `["22:00", "02:00"]` goes over midnight.
    private static let timesOfDay: Kind<ClosedRange<Int>> = {
        let time = Kind<Int>.minuteOfDay
        return Kind(
            schema: { definitions in
                ["type": "array", "items": time.schema(definitions), "minItems": 2, "maxItems": 2]
            },
            read: { node, reading in
                guard case .sequence(let nodes) = node.content else {
                    reading.reportKind(
                        of: node, expected: "two times of the day",
                        help: "write the earliest and the latest, such as [\"16:00\", \"20:00\"]")
                    return nil
                }
                guard
                    let (first, last) = reading.pair(
                        nodes, of: time, at: node, example: "[\"16:00\", \"20:00\"]")
                else { return nil }
                guard first > last else { return first...last }
                let isLong = last + 1_440 - first > 720
                if isLong, let from = nodes[0].scalarText, let to = nodes[1].scalarText {
                    reading.report(
                        .sessionWindow, "this goes over midnight: from \(from) to \(to) of the next day",
                        at: node.range,
                        help: Help("if one day is meant, write [\"\(to)\", \"\(from)\"]"), severity: .warning)
                }
                return first...(last + 1_440)
            })
    }()
}

extension Reading {
    /// Two values.
    fileprivate func pair(_ nodes: [Node], of kind: Kind<Int>, at node: Node, example: String) -> (Int, Int)?
    {
        guard nodes.count == 2 else {
            report(
                .sessionWindow,
                "\(nodes.count == 1 ? "1 value is" : "\(nodes.count) values are") given here, not 2",
                at: node.range, help: Help("write the first and the last, such as \(example)"))
            return nil
        }
        guard let first = kind.read(nodes[0], self), let last = kind.read(nodes[1], self) else { return nil }
        return (first, last)
    }
}

extension LocalizedText {
    /// The words with a number behind them, in each language.
    fileprivate func numbered(_ number: Int) -> LocalizedText {
        switch self {
        case .plain(let text): .plain("\(text) \(number)")
        case .translated(let all):
            .translated(all.map { .init(language: $0.language, text: "\($0.text) \(number)") })
        }
    }
}

extension Kind<Int> {
    /// A time of the day such as `16:00`, as minutes since midnight.
    fileprivate static var minuteOfDay: Kind {
        let schema: JSON = [
            "$comment": "time such as 16:00", "type": "string",
            "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        ]
        return Kind(schema) { node, reading in
            let usual = Help("write hours and minutes in quotes, such as \"16:00\"")
            guard let text = reading.text(of: node, expected: "a time such as 16:00", help: usual) else {
                return nil
            }
            if let minute = minute(text) { return minute }
            reading.report(
                .wrongType, "'\(text.prefix(40))' is not a time of the day", at: node.range,
                help: DatedText.help(for: text, otherwise: usual) { minute($0) != nil })
            return nil
        }
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2], text.utf8.allSatisfy({ (0x30...0x3a).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
