/// A value with when it was measured and when it reached us.
public struct Timed<Value: Hashable & Sendable>: Hashable, Sendable {
    public var value: Value
    /// When it was measured, as precisely as the source can tell.
    public var instant: RunInstant
    /// When it arrived.
    public var arrival: RunInstant

    public init(_ value: Value, at instant: RunInstant, arrival: RunInstant) {
        self.value = value
        self.instant = instant
        self.arrival = arrival
    }

    /// Another value at the same moment.
    package func map<New>(_ transform: (Value) -> New) -> Timed<New> {
        Timed<New>(transform(value), at: instant, arrival: arrival)
    }
}

/// When a beat occurred, as precisely as its sensor can tell.
public struct BeatTime: Hashable, Sendable {
    /// The reconstructed moment.
    public var instant: RunInstant
    /// How much earlier the beat may have been, apart from the sensor's own constant delay, which cannot be known
    /// from outside.
    public var uncertainty: Duration

    public init(instant: RunInstant, uncertainty: Duration) {
        self.instant = instant
        self.uncertainty = uncertainty
    }
}

/// What a heart-rate source reports at one moment.
public struct HeartRateSample: Hashable, Sendable {
    /// Beats per minute; `nil` if the source says that it has no reading.
    public var rate: Double?
    /// Seconds between beats that ended since the last sample, oldest first; empty if not sent.
    public var rrIntervals: [Double]
    /// Whether the sensor touches skin; `nil` if it cannot tell.
    public var sensorContact: Bool?
    /// Quality of the signal, 0...1; `nil` if not known.
    public var quality: Double?

    /// When the last interval of `rrIntervals` ended; `nil` if the source cannot reconstruct it.
    public var lastBeat: BeatTime?
    /// Seconds since the source's first reading, by its own clock; `nil` if it gives no times.
    public var elapsed: Double?

    public init(
        rate: Double?, rrIntervals: [Double] = [], sensorContact: Bool? = nil, quality: Double? = nil,
        lastBeat: BeatTime? = nil, elapsed: Double? = nil
    ) {
        self.rate = rate
        self.rrIntervals = rrIntervals
        self.sensorContact = sensorContact
        self.quality = quality
        self.lastBeat = lastBeat
        self.elapsed = elapsed
    }
}
