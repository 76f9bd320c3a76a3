import StudyModel
import TextFormat

extension Following: Wired {
    static let form: WireForm<Following> = .record(
        Following.init, WireField(optional: "tempo", \.tempo), WireField(optional: "loudness", \.loudness),
        WireField(optional: "yokedTo", \.yokedTo, .identifier))
}

extension Following.Tempo: Wired {
    static let form: WireForm<Following.Tempo> = .record(
        { Following.Tempo(target: $0, range: $1, beatsPerHeartbeat: $2, pace: $3) },
        WireField("target", \.target, .real), WireField(among: \.range, rangeForm),
        WireField("beatsPerHeartbeat", \.beatsPerHeartbeat, .list(.real)), WireField("pace", \.pace))

    private static let rangeForm: WireForm<ClosedRange<Double>> = .record(
        { (low: Double, high: Double) in
            guard low <= high else { throw WireFailure("\(low) to \(high) is not a range of changes") }
            return low...high
        }, WireField("from", \.lowerBound, .real), WireField("to", \.upperBound, .real))
}

extension Following.Loudness: Wired {
    static let form: WireForm<Following.Loudness> = .record(
        Following.Loudness.init,
        WireField(
            "points", \.points,
            .list(
                .record(Point.init, WireField("rate", \.rate, .real), WireField("gain", \.gain, .real)))),
        WireField("pace", \.pace))
}

extension Following.Pace: Wired {
    static let form: WireForm<Following.Pace> = .record(
        Following.Pace.init, WireField("interval", \.interval, .elapsed),
        WireField("smoothing", \.smoothing, .elapsed))
}

extension Playback.Change: Wired {
    static let form: WireForm<Playback.Change> = .record(
        { Playback.Change(at: $0, frame: $1, position: $2, tempo: $3, gain: $4) },
        WireField("at", \.instant, .elapsed), WireField(optional: "frame", \.frame, .whole),
        WireField("position", \.position, .elapsed), WireField("tempo", \.tempo, .magnitude),
        WireField("gain", \.gain, .real))
}
