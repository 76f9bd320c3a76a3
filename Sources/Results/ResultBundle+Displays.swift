public import StudyModel

extension ResultBundle {
    /// One item of a file of what was displayed: it was shown from this moment on.
    public struct Display: Hashable, Sendable {
        /// What is displayed: `heartRate`, `rmssd`, `sdnn` or `pacer`.
        public var display: String
        /// What was shown.
        public var shown: Biofeedback.Shown
        /// The unit of its number in UCUM; `nil` if it is no number.
        public var unit: String?
        /// Seconds since the run's start.
        public var runOffset: Double
        /// The recorder that recorded it.
        public var recorder: String
    }

    /// One item of a file of taps.
    public struct Tap: Hashable, Sendable {
        /// The key's name.
        public var key: String
        /// Seconds since the run's start.
        public var runOffset: Double
        /// What was heard of the clip at this moment, as a position in its file, seconds; `nil` if no clip was heard.
        public var position: Double?
        /// The number of the nearest beat, from 1; `nil` if no beat is near.
        public var beat: Int?
        /// The tap's moment less the beat's, seconds.
        public var asynchrony: Double?
        /// The asynchrony as an angle, with the time between two beats as a full turn, −180…180 degrees.
        public var phase: Double?
        /// The recorder that recorded it.
        public var recorder: String
    }
}
