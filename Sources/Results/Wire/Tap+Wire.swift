import StudyModel
import TextFormat

extension Tap {
    /// Its members in a line of a log.
    var wire: [String: JSON] {
        var members: [String: JSON] = ["tapped": .text(key)]
        members["position"] = position.map { .nanoseconds($0) }
        if let beat {
            members["asynchrony"] = .nanoseconds(beat.asynchrony)
            members["beat"] = .integer(beat.number)
            members["phase"] = .real(beat.phase)
        }
        return members
    }

    init(wire: JSON) throws {
        self.init(
            key: try wire.field("tapped").asText(),
            position: try wire.optional("position") { try $0.asDuration() },
            beat: try wire.optional("beat") { number in
                Beat(
                    number: try number.asCount(), asynchrony: try wire.field("asynchrony").asDuration(),
                    phase: try wire.field("phase").asNumber(in: -180...180))
            })
    }

    /// The tap as it reads back from a log: in whole nanoseconds.
    var asWritten: Tap {
        let whole = { (duration: Duration) in Duration.nanoseconds(duration.wholeNanoseconds) }
        return Tap(
            key: key, position: position.map(whole),
            beat: beat.map { Beat(number: $0.number, asynchrony: whole($0.asynchrony), phase: $0.phase) })
    }
}

extension Tapping {
    var wire: JSON { ["keys": .texts(keys)] }

    init(wire: JSON) throws { self.init(keys: try wire.field("keys").asList { try $0.asText() }) }
}

extension FileResult.Taps {
    /// The same form in results and in the journal.
    var wire: JSON {
        ["held": .integer(held), "keys": .texts(tapping.keys), "onBeats": .integer(onBeats)]
    }

    init(wire: JSON) throws {
        self.init(
            try Tapping(wire: wire), onBeats: try wire.field("onBeats").asCount(),
            held: try wire.field("held").asCount())
    }
}

extension BeatGrid {
    var wire: JSON {
        switch self {
        case .positions(let beats): .variant("positions", .list(beats.map { .nanoseconds($0) }))
        case .steady(let interval, let first):
            .variant("steady", ["first": .nanoseconds(first), "interval": .nanoseconds(interval)])
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "positions":
            let beats = try payload.asList { try $0.asDuration() }
            let isAscending = zip(beats, beats.dropFirst()).allSatisfy { $0 < $1 }
            self = .positions(
                try payload.expect(beats.count > 1 && isAscending ? beats : nil, "beats in order"))
        case "steady":
            let interval = try payload.field("interval")
            let length = try interval.asDuration()
            self = .steady(
                interval: try interval.expect(length > .zero ? length : nil, "a time above zero"),
                first: try payload.field("first").asDuration())
        default: throw wire.wrong("beats")
        }
    }
}
