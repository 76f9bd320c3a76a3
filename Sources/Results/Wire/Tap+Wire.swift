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

extension Tapping: Wired {
    static let form: WireForm<Tapping> = .record(
        { Tapping(keys: $0) },
        WireField("keys", \.keys, .list(.text(.word(Set(Tapping.possibleKeys))))))
}

extension FileResult.Taps: Wired {
    /// The same form in results and in the journal.
    static let form: WireForm<FileResult.Taps> = .record(
        FileResult.Taps.init, WireField(among: \.tapping, Tapping.form),
        WireField("onBeats", \.onBeats, .count), WireField("held", \.held, .count))
}

extension BeatGrid: Wired {
    static let form: WireForm<BeatGrid> = .cases("beats") {
        WireCase(
            "positions", .list(.nanoseconds),
            { beats in
                guard beats.count > 1, zip(beats, beats.dropFirst()).allSatisfy({ $0 < $1 }) else {
                    throw WireFailure("\(beats.count) beats are not beats in order")
                }
                return .positions(beats)
            }
        ) { if case .positions(let beats) = $0 { beats } else { nil } }
        WireCase(
            "steady",
            .record(
                { ($0, $1) }, WireField("interval", \.0, .nanoseconds), WireField("first", \.1, .nanoseconds)),
            { interval, first in
                guard interval > .zero else { throw WireFailure("\(interval) is not a time above zero") }
                return .steady(interval: interval, first: first)
            }
        ) { if case .steady(let interval, let first) = $0 { (interval, first) } else { nil } }
    }
}
