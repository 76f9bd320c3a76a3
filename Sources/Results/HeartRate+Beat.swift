extension ResultBundle.HeartRate {
    /// The rate of one beat, which no file holds.
    ///
    /// - Parameters:
    ///   - time: when its interval ended, seconds since the run's start.
    ///   - length: of its interval, seconds.
    package init(ofBeatAt time: Double, lasting length: Double, source: String) {
        self.init(
            runOffset: time, arrivalOffset: time, timestampSince1970: 0, value: 60 / length, rrIntervals: [],
            source: source)
    }
}
