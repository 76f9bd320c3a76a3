/// A research study: what a study file says, checked.
public struct Study: Hashable, Sendable {
    /// The study's name for programs.
    public var identifier: Identifier
    /// Counts the changes of the study's content, from 1.
    public var revision: Int
    /// The study's name for people.
    public var title: LocalizedText
    /// The seed of every random draw; `nil` where the study leaves it to the run.
    public var seed: UInt64?
    /// Where heart rates and other signals come from, by name, in file order.
    public var sources: [Source]
    /// The sets of clips to draw from, in file order.
    public var stimulusSets: [StimulusSet]
    /// The tasks, in file order; at least one.
    public var tasks: [Task]
    /// Every language in which all texts are given, in order of first appearance; empty where no text is
    /// translated. The first is the default.
    public var languages: [Language]

    /// A study of the given parts.
    public init(
        identifier: Identifier, revision: Int = 1, title: LocalizedText, seed: UInt64? = nil,
        sources: [Source] = [],
        stimulusSets: [StimulusSet] = [], tasks: [Task], languages: [Language] = []
    ) {
        self.identifier = identifier
        self.revision = revision
        self.title = title
        self.seed = seed
        self.sources = sources
        self.stimulusSets = stimulusSets
        self.tasks = tasks
        self.languages = languages
    }

    /// The set of that name, if the study has one.
    public func stimulusSet(_ identifier: Identifier) -> StimulusSet? {
        stimulusSets.first { $0.identifier == identifier }
    }

    /// The source of that name, if the study has one.
    public func source(_ identifier: Identifier) -> Source? { sources.first { $0.identifier == identifier } }
}

extension Study {
    /// An ordered list of steps done in one sitting.
    public struct Task: Hashable, Sendable {
        /// The task's name, unique in the study.
        public var identifier: Identifier
        /// What the participant may see besides the steps.
        public var display: Display
        /// The steps, in order; the last one is a completion step.
        public var steps: [Step]
        /// Recorders that run over several steps.
        public var recorders: [SpanningRecorder]
        /// Whether the task is not to be done without sound.
        public var isAudioRequired: Bool

        /// A task of the given steps.
        public init(
            identifier: Identifier, display: Display = Display(), steps: [Step],
            recorders: [SpanningRecorder] = [], isAudioRequired: Bool = false
        ) {
            self.identifier = identifier
            self.display = display
            self.steps = steps
            self.recorders = recorders
            self.isAudioRequired = isAudioRequired
        }
    }

    /// What a participant sees besides the steps' own texts.
    public struct Display: Hashable, Sendable {
        /// The participant's heart rate: `false` unless the study says so, because feedback changes what is measured.
        public var heartRate: Bool
        /// The time left in a timed step.
        public var countdown: Bool
        /// "Step n of m".
        public var progress: Bool

        /// The study format's defaults.
        public init(heartRate: Bool = false, countdown: Bool = true, progress: Bool = true) {
            self.heartRate = heartRate
            self.countdown = countdown
            self.progress = progress
        }
    }

    /// Where a signal comes from, under the name that recorders use.
    public struct Source: Hashable, Sendable {
        /// The name, such as `heartRate`.
        public var identifier: Identifier
        /// What yields the samples.
        public var configuration: SourceConfiguration

        /// A named source.
        public init(identifier: Identifier, configuration: SourceConfiguration) {
            self.identifier = identifier
            self.configuration = configuration
        }
    }
}

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
    /// A program that sends readings to us.
    case push(PushOrigin)
    /// A stream of the Lab Streaming Layer, by its name or its `source_id`; `nil` for the only one.
    case lsl(stream: String?)
    /// A fingertip on a camera.
    case camera(CameraOrigin)
}

/// Which heart-rate strap is meant.
public enum BluetoothStrap: Hashable, Sendable {
    /// The only one in reach.
    case only
    /// The one whose name is, or begins with, this; whatever the case.
    case named(String)
    /// The one of an address such as `A0:9E:1A:2B:3C:4D`.
    case at(address: String)
}

/// A server that returns the readings since a cursor.
public struct PolledServer: Hashable, Sendable {
    /// `http://…` or `https://…`; `{cursor}` in it stands for the cursor.
    public var url: String
    /// The time from one request to the next, 1 s to an hour.
    public var interval: Duration

    /// A server to be asked every ten seconds, unless told otherwise.
    public init(url: String, interval: Duration = .seconds(10)) {
        self.url = url
        self.interval = interval
    }
}

/// Where pushed readings come in.
public enum PushOrigin: Hashable, Sendable {
    /// On standard input, one reading a line.
    case standardInput
    /// At a Unix socket, one reading a line.
    case socket(path: String)
    /// From a stream of server-sent events at `http://…` or `https://…`.
    case events(url: String)
}

extension SourceConfiguration {
    /// Whether it can fill a recorder of type `pulseWaveform`.
    public var hasPulseWaveform: Bool {
        if case .camera = self { return true }
        if case .simulated = self { return true }
        return false
    }
}

/// Where the pictures of a fingertip come from.
public enum CameraOrigin: Hashable, Sendable {
    /// A camera, such as `/dev/video0`.
    case device(String)
    /// A video, played as fast as it was filmed.
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
