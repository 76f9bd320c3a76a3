import StudyModel
import TextFormat

extension Following {
    var wire: JSON {
        .members([
            "loudness": loudness?.wire, "tempo": tempo?.wire, "yokedTo": yokedTo.map { .text($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            tempo: try wire.optional("tempo", Tempo.init(wire:)),
            loudness: try wire.optional("loudness", Loudness.init(wire:)),
            yokedTo: try wire.optional("yokedTo") { try $0.asIdentifier() })
    }
}

extension Following.Tempo {
    fileprivate var wire: JSON {
        [
            "beatsPerHeartbeat": .list(beatsPerHeartbeat.map { .anyReal($0) }),
            "from": .anyReal(range.lowerBound), "pace": pace.wire, "target": .anyReal(target),
            "to": .anyReal(range.upperBound),
        ]
    }

    fileprivate init(wire: JSON) throws {
        let (low, high) = (try wire.field("from").asNumber(), try wire.field("to").asNumber())
        guard low <= high else { throw wire.wrong("a range of changes") }
        self.init(
            target: try wire.field("target").asNumber(), range: low...high,
            beatsPerHeartbeat: try wire.field("beatsPerHeartbeat").asList { try $0.asNumber() },
            pace: try Following.Pace(wire: wire.field("pace")))
    }
}

extension Following.Loudness {
    fileprivate var wire: JSON {
        [
            "pace": pace.wire,
            "points": .list(points.map { ["gain": .anyReal($0.gain), "rate": .anyReal($0.rate)] }),
        ]
    }

    fileprivate init(wire: JSON) throws {
        self.init(
            points: try wire.field("points").asList {
                Point(rate: try $0.field("rate").asNumber(), gain: try $0.field("gain").asNumber())
            }, pace: try Following.Pace(wire: wire.field("pace")))
    }
}

extension Following.Pace {
    fileprivate var wire: JSON {
        ["interval": .nanoseconds(interval), "smoothing": .nanoseconds(smoothing)]
    }

    fileprivate init(wire: JSON) throws {
        self.init(
            interval: try wire.field("interval").asDuration(),
            smoothing: try wire.field("smoothing").asDuration())
    }
}

extension Playback.Change {
    var wire: JSON {
        .members([
            "at": .nanoseconds(instant), "frame": frame.map { .integer(Int($0)) }, "gain": .anyReal(gain),
            "position": .nanoseconds(position), "tempo": .anyReal(tempo),
        ])
    }

    init(wire: JSON) throws {
        self.init(
            at: try wire.field("at").asInstant(),
            frame: try wire.optional("frame") { Int64(try $0.asInteger()) },
            position: try wire.field("position").asDuration(), tempo: try wire.field("tempo").asNumber(),
            gain: try wire.field("gain").asNumber())
    }
}
