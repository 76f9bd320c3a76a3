/// What a source says about itself, besides its samples.
public struct SourceInformation: Hashable, Sendable {
    /// Which device or stream it is, as that calls itself.
    public var device: String?
    /// What tells it from others of its name: an address such as `A0:9E:1A:2B:3C:4D`, a `source_id`, a device's path.
    public var identifier: String?
    /// The machine that it comes from.
    public var host: String?
    /// Who made it.
    public var manufacturer: String?
    /// What its maker calls its kind.
    public var model: String?
    /// The version of its own program.
    public var firmware: String?
    /// How many samples it announces, per second; above 0.
    public var nominalRate: Double?
    /// How its clock stood to this machine's, in order of time, one comparison a minute.
    public var clock: [ClockComparison]
    /// Where the sensor is worn, such as `chest`.
    public var sensorLocation: String?
    /// The last known charge, percent.
    public var battery: Int?
    /// When the source's first reading was measured, by its own clock: seconds since 1970. `elapsed` of its samples
    /// counts from this moment.
    public var origin: Double?
    /// How many readings it sent that were measured before the run; none of them is recorded.
    public var samplesBeforeRun: Int?

    /// How a source's clock stood to this machine's.
    public struct ClockComparison: Hashable, Sendable {
        /// When they were compared, seconds since the run's start.
        public var runOffset: Double
        /// What is added to the source's time for this machine's, s, -1e8...1e8.
        public var offset: Double
        /// How far off that may be, s, at least 0.
        public var doubt: Double

        public init(runOffset: Double, offset: Double, doubt: Double) {
            self.runOffset = runOffset
            self.offset = offset
            self.doubt = doubt
        }
    }

    public init(
        device: String? = nil, identifier: String? = nil, host: String? = nil,
        clock: [ClockComparison] = [], sensorLocation: String? = nil, battery: Int? = nil,
        origin: Double? = nil, samplesBeforeRun: Int? = nil
    ) {
        self.device = device
        self.identifier = identifier
        self.host = host
        self.clock = clock
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
        identifier = later.identifier ?? identifier
        host = later.host ?? host
        manufacturer = later.manufacturer ?? manufacturer
        model = later.model ?? model
        firmware = later.firmware ?? firmware
        nominalRate = later.nominalRate ?? nominalRate
        clock += later.clock
        sensorLocation = later.sensorLocation ?? sensorLocation
        battery = later.battery ?? battery
        origin = later.origin ?? origin
        samplesBeforeRun = later.samplesBeforeRun ?? samplesBeforeRun
    }
}
