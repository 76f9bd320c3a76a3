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

        var session: Study.Session {
            .init(
                identifier: name.value, title: title, task: task?.value,
                after: after.map { .init(session: $0.session.value, days: $0.days?.value) },
                between: between?.value)
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
        fields: .of(identifier, title, task, after, between, Field.comment)
    ) { fields in
        let (name, title, task) = (fields[identifier], fields[title], fields[task])
        let after = fields[after]
        let between = fields.located(between)
        return name.map { Draft(name: $0, title: title, task: task, after: after, between: between) }
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
        "The earliest and the latest time of the day at which it may begin, in the zone of the machine that runs it.",
        example: ["16:00", "20:00"])

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
                return reading.pair(nodes, of: day, at: node, example: "[6, 8]") { first, last in
                    "the last day, \(last), comes before the first, \(first)"
                }
            })
    }()

    /// `["16:00", "20:00"]`.
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
                return reading.pair(nodes, of: time, at: node, example: "[\"16:00\", \"20:00\"]") { _, _ in
                    "the latest time comes before the earliest, and no session goes over midnight"
                }
            })
    }()
}

extension Reading {
    /// Two values of which the second is not below the first.
    fileprivate func pair(
        _ nodes: [Node], of kind: Kind<Int>, at node: Node, example: String, _ words: (Int, Int) -> String
    ) -> ClosedRange<Int>? {
        guard nodes.count == 2 else {
            report(
                .sessionWindow,
                "\(nodes.count == 1 ? "1 value is" : "\(nodes.count) values are") given here, not 2",
                at: node.range, help: Help("write the first and the last, such as \(example)"))
            return nil
        }
        guard let first = kind.read(nodes[0], self), let last = kind.read(nodes[1], self) else { return nil }
        guard first <= last else {
            report(
                .sessionWindow, words(first, last), at: node.range,
                help: "swap the two, or write others: a window over midnight ends with the day, at \"23:59\"")
            return nil
        }
        return first...last
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
