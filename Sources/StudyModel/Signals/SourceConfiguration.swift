/// What yields samples, as data.
public enum SourceConfiguration: Hashable, Sendable {
    /// A simulated heart.
    case simulated(SimulatedSource)
    /// A recording played again with its own timing.
    ///
    /// `path` is relative to the study file.
    case replay(path: String)
    /// A heart-rate strap.
    case bluetooth(BluetoothStrap)
    /// A server that is polled.
    case poll(PolledServer)
    /// A program that sends readings to this one.
    case push(PushOrigin)
    /// A stream of the Lab Streaming Layer.
    case lsl(LabStreamChoice)
    /// A fingertip on a camera.
    case camera(CameraOrigin)
    /// A joystick or a MIDI controller that moves the mark of a rating.
    case control(ControlDevice)
}

/// Which heart-rate strap is meant.
public enum BluetoothStrap: Hashable, Sendable {
    /// The only one within reach.
    case only
    /// The one whose name is this, or begins with it, in upper or lower case.
    case named(String)
    /// The one with an address such as `A0:9E:1A:2B:3C:4D`.
    case at(address: String)
}

/// Which stream of the Lab Streaming Layer is meant: the only one of its type that is all that is said here.
public struct LabStreamChoice: Hashable, Sendable {
    /// Its name or its `source_id`.
    public var stream: String?
    /// Its `source_id`.
    public var sourceIdentifier: String?
    /// The machine that sends it, in upper or lower case.
    public var host: String?

    public init(stream: String? = nil, sourceIdentifier: String? = nil, host: String? = nil) {
        self.stream = stream
        self.sourceIdentifier = sourceIdentifier
        self.host = host
    }

    /// `NAME`, `NAME@HOST` or `@HOST`. The host follows the last `@`; it may be empty, so that `a@b@` is a name.
    package init(_ spelling: String) {
        let at = spelling.lastIndex(of: "@")
        let (name, host) = (spelling[..<(at ?? spelling.endIndex)], at.map { spelling[$0...].dropFirst() })
        stream = name.isEmpty ? nil : String(name)
        self.host = host.flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// The stream in words that follow "looking for"; `nil` for whichever there is.
    package var words: String? {
        let parts = [
            stream.map { "the stream '\($0)'" }, sourceIdentifier.map { "source_id '\($0)'" },
            host.map { "host '\($0)'" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// A server that returns the readings since a cursor.
public struct PolledServer: Hashable, Sendable {
    /// `http://…` or `https://…`; `{cursor}` in it stands for the cursor.
    public var url: String
    /// The time from one request to the next, 1 s to an hour.
    public var interval: Duration

    /// A server that is asked every ten seconds, unless the study says otherwise.
    public init(url: String, interval: Duration = .seconds(10)) {
        self.url = url
        self.interval = interval
    }
}

/// Where readings arrive that another program sends.
public enum PushOrigin: Hashable, Sendable {
    /// On standard input, one reading a line.
    case standardInput
    /// At a Unix socket, one reading a line.
    case socket(path: String)
    /// From a stream of server-sent events at `http://…` or `https://…`.
    case events(url: String)
}

extension SourceConfiguration {
    /// Whether it yields what a recorder of a signal needs.
    public func gives(_ signal: Signal) -> Bool {
        switch (self, signal.form) {
        case (.simulated, _), (.camera, .picture), (.control, .rating): true
        case (.control, _): false
        case (_, .rate), (_, .intervals): true
        case (.poll, .number), (.push, .number), (.lsl, .number): true
        case (.poll, .wave), (.push, .wave), (.lsl, .wave), (.replay, .wave): true
        case (.bluetooth, .wave): Self.measurementService.contains(signal)
        case (_, _): false
        }
    }

    /// What straps and armbands with a measurement service of their own send.
    package static let measurementService: Set<Signal> = [.ecg, .ppg, .acceleration]

    /// What kind of source it is, whatever its settings. Bundles say so.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case simulated, replay, bluetooth, poll, push, lsl, camera, video, joystick, midi

        /// Whether it measures in real time while the run goes on.
        public var isLive: Bool {
            switch self {
            case .simulated, .replay, .video: false
            case .bluetooth, .poll, .push, .lsl, .camera, .joystick, .midi: true
            }
        }
    }

    /// Its kind.
    public var kind: Kind {
        switch self {
        case .simulated: .simulated
        case .replay: .replay
        case .bluetooth: .bluetooth
        case .poll: .poll
        case .push: .push
        case .lsl: .lsl
        case .camera(.device): .camera
        case .camera(.file): .video
        case .control(let device): device.kind == .joystick ? .joystick : .midi
        }
    }

    /// Whether it works in real time, so that it cannot run faster.
    package var isLive: Bool { kind.isLive }

    /// The same with its path relative to the current folder, given the study file's folder.
    package func resolved(in folder: String) -> SourceConfiguration {
        let resolved = { (path: String) in path.hasPrefix("/") ? path : folder + "/" + path }
        return switch self {
        case .replay(let path): .replay(path: resolved(path))
        case .push(.socket(let path)): .push(.socket(path: resolved(path)))
        case .camera(.file(let path)): .camera(.file(path: resolved(path)))
        case .control(var device):
            {
                device.path = resolved(device.path)
                return .control(device)
            }()
        case .simulated, .bluetooth, .poll, .lsl, .push(.standardInput), .push(.events), .camera(.device):
            self
        }
    }
}

/// Where the pictures of a fingertip come from.
public enum CameraOrigin: Hashable, Sendable {
    /// A camera, such as `/dev/video0`, and how it takes its pictures.
    case device(String, CameraSettings = CameraSettings())
    /// A video, played at the speed at which it was filmed.
    ///
    /// `path` is relative to the study file.
    case file(path: String)
}

/// A simulated heart as the study describes it.
public struct SimulatedSource: Hashable, Sendable {
    /// Heart rate at rest, beats per minute, 30...220.
    public var restingRate: Double
    /// Highest heart rate, beats per minute, above `restingRate`, at most 240.
    public var maximumRate: Double
    /// How much music of full energy changes the rate, beats per minute, -30...30.
    public var musicResponse: Double
    /// Relative size of the natural variability, 0...3; 1 is a typical adult, 0 a metronome.
    public var variability: Double
    /// Share of the notifications that are lost, 0...1.
    public var dropouts: Double
    /// Share of the notifications that arrive twice, 0...1.
    public var duplicates: Double
    /// Share of the time without skin contact, 0...1.
    public var contactLoss: Double

    /// The study format's defaults: an adult at rest and a strap without faults.
    public init(
        restingRate: Double = 64, maximumRate: Double = 185, musicResponse: Double = 1.5,
        variability: Double = 1,
        dropouts: Double = 0, duplicates: Double = 0, contactLoss: Double = 0
    ) {
        self.restingRate = restingRate
        self.maximumRate = maximumRate
        self.musicResponse = musicResponse
        self.variability = variability
        self.dropouts = dropouts
        self.duplicates = duplicates
        self.contactLoss = contactLoss
    }
}
