/// What a source says about itself, besides its samples.
public struct SourceInformation: Hashable, Sendable {
    /// Which device or stream it is, as that calls itself.
    public var device: String?
    /// Where the sensor is worn, such as `chest`.
    public var sensorLocation: String?
    /// The last known charge, percent.
    public var battery: Int?
    /// When the source's first reading was measured, by its own clock: seconds since 1970. `elapsed` of its samples
    /// counts from this moment.
    public var origin: Double?
    /// How many readings it sent that were measured before the run; none of them is recorded.
    public var samplesBeforeRun: Int?

    public init(
        device: String? = nil, sensorLocation: String? = nil, battery: Int? = nil, origin: Double? = nil,
        samplesBeforeRun: Int? = nil
    ) {
        self.device = device
        self.sensorLocation = sensorLocation
        self.battery = battery
        self.origin = origin
        self.samplesBeforeRun = samplesBeforeRun
    }

    /// A charge below this, in percent, may not last for a session.
    package static let lowBattery = 15

    /// Whether nothing is known.
    package var isEmpty: Bool { self == SourceInformation() }

    /// The charge, if it may not last.
    package var lowBattery: Int? { battery.flatMap { $0 < Self.lowBattery ? $0 : nil } }

    /// Takes over what the source said later.
    package mutating func update(with later: SourceInformation) {
        device = later.device ?? device
        sensorLocation = later.sensorLocation ?? sensorLocation
        battery = later.battery ?? battery
        origin = later.origin ?? origin
        samplesBeforeRun = later.samplesBeforeRun ?? samplesBeforeRun
    }
}
