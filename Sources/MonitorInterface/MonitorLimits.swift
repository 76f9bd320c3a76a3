/// What a monitor takes: who sends keeps to it, and the server refuses the rest.
package enum MonitorLimits {
    /// Beats per minute; rates outside are no heart's.
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
    /// How many times faster than real time a run may say that it goes; the last stands for one that does not wait.
    package static let speeds = 0.001...1_000_000.0
    /// What a run that is not of a participant is called.
    package static let origins = ["simulated", "replayed"]
    /// Seconds between a running run's signs of life.
    package static let heartbeat = 1
    /// Seconds without a word after which a run that gives signs of life counts as lost.
    package static let silence = 4.0
    /// Seconds by which a sender's clock may be ahead of the monitor's.
    package static let ahead = 5.0
}

/// What can happen in a run, as a monitor is told of it.
package enum RunEventKind: String, Hashable, Sendable, CaseIterable {
    case stepShown, stepStarted, stepEnded
    case stimulusOnset, stimulusEnd
    case sourceState
    case rating
    case saved
    case over
}

/// What a monitor keeps under one identifier; in its addresses and messages a series is called a session.
package enum SeriesKind: String, Hashable, Sendable {
    case run
    case imported = "import"
    /// Readings that were pushed without a run.
    case readings
}

/// The paths and header fields that senders use.
package enum MonitorPath {
    package static let sessions = "/api/sessions"
    /// In the place of a series, for readings that belong to none.
    package static let readings = "readings"
    /// Parts of a series, beneath its own path.
    package static let events = "events"
    package static let heartRate = "heart-rate"
    /// A sign of life.
    package static let alive = "alive"
    /// The field by which a repeated request is known.
    package static let deliveryKey = "Idempotency-Key"
}
