/// The limits of what a monitor accepts. Senders observe them, and the server refuses the rest.
package enum MonitorLimits {
    /// Beats per minute; other rates are impossible.
    package static let heartRates = 20.0...300.0
    /// Seconds between two beats.
    package static let intervals = 0.1...10.0
    package static let intervalCount = 64
    /// The years 2000 to 2100, in seconds since 1970.
    package static let times = 946_684_800.0...4_102_444_800.0
    /// Seconds since a series' start.
    package static let elapsed = -86_400.0...31_536_000.0
    /// Bytes of UTF-8 of a text: a problem, an answer, a reason, a note.
    package static let textBytes = 2000
    /// Bytes of UTF-8 of a title.
    package static let titleBytes = 400
    package static let steps = 2000
    /// How many times faster than real time a run may claim to be. The last value stands for a run that does not
    /// wait.
    package static let speeds = 0.001...1_000_000.0
    /// The words for a run that is not of a participant.
    package static let origins = ["simulated", "replayed"]
    /// Seconds between a running run's signs of life.
    package static let heartbeat = 1
    /// After this many seconds without a sign of life, a run that gives such signs counts as lost.
    package static let silence = 4.0
    /// A run says that the microphone hears nothing after it has heard nothing for so many seconds.
    package static let microphoneSilence = 1.0
    /// Readings of a heart rate that are more than so many seconds apart have a gap between them.
    package static let gap = 5.0
    /// Seconds that a run may take to answer a request.
    package static let answer = 10.0
    /// Seconds by which a sender's clock may be ahead of the monitor's.
    package static let ahead = 5.0
}

/// The events of a run that a monitor is told about.
package enum RunEventKind: String, Hashable, Sendable, CaseIterable {
    case stepShown, stepStarted, stepEnded
    /// The time of a step stands still, and goes on.
    case paused, resumed
    case stimulusOnset, stimulusEnd
    case sourceState
    /// What a source's readings are like: see `SourceCondition`.
    case source
    /// The microphone of a recording hears something, nothing, or is no longer needed: see `MicrophoneState`.
    case microphone
    case rating
    /// The experimenter noted something, or changed the course of the run.
    case marked
    case saved
    case over
    /// How good the recordings, the sound and the timing of the whole run were.
    case quality
}

/// What a run says of its microphone.
package enum MicrophoneState: String, Hashable, Sendable {
    case heard, silent
    /// No step records sound.
    case off
}

/// The kinds of series that a monitor stores under one identifier. Its addresses and messages call a series a
/// session.
package enum SeriesKind: String, Hashable, Sendable {
    case run
    case imported = "import"
    /// Readings that were pushed without a run.
    case readings
}

/// The paths and header fields that senders use.
package enum MonitorPath {
    package static let sessions = "/api/sessions"
    /// The alarms of all runs, and below a session its own.
    package static let alarms = "alarms"
    /// How far studies have come; below `/api`, and below it a study's identifier.
    package static let studies = "studies"
    /// Stands for a series in readings that belong to none.
    package static let readings = "readings"
    /// Parts of a series, below its own path.
    package static let events = "events"
    package static let heartRate = "heart-rate"
    /// What experimenters want of a run: a stream of events for the run, and the way in for experimenters.
    package static let requests = "requests"
    /// The server's clock.
    package static let clock = "/api/clock"
    /// The event in which a run is told a request.
    package static let request = "request"
    /// A sign of life.
    package static let alive = "alive"
    /// Gives a participant's arm.
    package static let allocations = "/api/allocations"
    /// Says whether there is a ledger for a study.
    package static let allocationCheck = allocations + "/check"
    /// Where a run says how it ended, if its participant was allocated.
    package static let allocationEnd = allocations + "/end"
    /// The bundles that the monitor keeps; below it a run's UUID, the SHA-256 of its `SHA256SUMS`, and what is done.
    package static let bundles = "/api/bundles"
    /// Takes a piece of a file: `?path=…&offset=…`.
    package static let piece = "file"
    /// Keeps the bundle for good.
    package static let seal = "seal"
    /// The field with the secret with which a run was begun.
    package static let runSecret = "Entrain-Run-Secret"
    /// The field that identifies a repeated request.
    package static let deliveryKey = "Idempotency-Key"
}
