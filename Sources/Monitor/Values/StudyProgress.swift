import MonitorInterface
import TextFormat

/// How far a study has come, as the register of a results folder sees it.
struct StudyProgress: Hashable, Sendable {
    /// The study's identifier.
    let study: String
    /// When the register was read, seconds since 1970.
    let date: Double
    /// What was sent, in the form in which it is shown.
    let json: JSON

    /// Reads what `entrain` says of a study; see `/openapi.json`.
    ///
    /// - Parameter study: the identifier in the path.
    init(of study: String, json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a study's progress")
        var object = JSON.Object([:])
        guard try fields.optionalIdentifier("study") ?? study == study else {
            throw .unprocessable("'study' is not that of the address")
        }
        object["study"] = .text(study)
        guard let date = try fields.optionalNumber("date", in: MonitorLimits.times) else {
            throw .unprocessable("a study's progress needs 'date', seconds since 1970")
        }
        (self.study, self.date) = (study, date)
        object["date"] = .real(date)
        object["title"] = try fields.optionalText("title", limit: MonitorLimits.titleBytes).map(JSON.text)
        for key in ["participants", "completed", "incomplete", "excluded", "poor"] {
            object[key] = .integer(try fields.integer(key, in: 0...1_000_000))
        }
        object["arms"] = try Self.counts("arms", in: &fields)
        if case .boolean(let isHidden)? = fields.member("armsAreHidden") {
            object["armsAreHidden"] = .boolean(isHidden)
        }
        object["orders"] = try Self.orders(in: &fields)
        object["toCome"] = try Self.appointments(in: &fields)
        try fields.rejectUnknown()
        self.json = .object(object)
    }

    /// How many of each.
    private static func counts(_ key: String, in fields: inout Fields) throws(Refusal) -> JSON? {
        guard let value = fields.member(key) else { return nil }
        guard let members = value.object?.members, members.count <= 100,
            members.allSatisfy({ $0.value.integer.map { $0 >= 0 } == true && $0.key.utf8.count <= 400 })
        else { throw .unprocessable("'\(key)' should be at most 100 counts by name") }
        return value
    }

    private static func orders(in fields: inout Fields) throws(Refusal) -> JSON? {
        let blocks = try fields.list("orders", limit: 20)
        guard !blocks.isEmpty else { return nil }
        var orders: [JSON] = []
        for block in blocks {
            var fields = try Fields(block, "a block's orders")
            var object = JSON.Object(["block": .text(try fields.text("block", limit: 400))])
            object["counts"] = try counts("counts", in: &fields)
            object["distinct"] = .integer(try fields.integer("distinct", in: 0...1_000_000))
            try fields.rejectUnknown()
            orders.append(.object(object))
        }
        return .list(orders)
    }

    private static func appointments(in fields: inout Fields) throws(Refusal) -> JSON {
        var appointments: [JSON] = []
        for json in try fields.list("toCome", limit: 500) {
            var fields = try Fields(json, "a session to come")
            var object = JSON.Object([:])
            object["participant"] = try fields.optionalParticipant("participant").map(JSON.text)
            for key in ["session", "state", "when"] { object[key] = .text(try fields.text(key, limit: 400)) }
            try fields.rejectUnknown()
            appointments.append(.object(object))
        }
        return .list(appointments)
    }
}
