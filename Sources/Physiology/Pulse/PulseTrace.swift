/// What a sensor saw over time: the mean colour of each video frame, or one light-absorption signal.
package struct PulseTrace: Hashable, Sendable {
    /// When each frame was taken, in seconds.
    package private(set) var times: [Double]
    /// One array per channel, as long as `times`; blood makes every signal here rise.
    private(set) var signals: [[Double]]
    /// The names of `signals`, in their order.
    let channels: [Pulse.Channel]

    /// Frames of a fingertip on a camera.
    ///
    /// Blood absorbs light, so every colour becomes darker when the heart beats. The signals are therefore
    /// inverted.
    ///
    /// - Parameters:
    ///   - times: seconds, in the order in which the frames came; they need not be evenly spaced.
    ///   - red, green, blue: mean intensity of each frame, in any unit, as many as `times`; surplus values are
    ///     ignored.
    package init(times: [Double], red: [Double], green: [Double], blue: [Double]) {
        let count = min(times.count, red.count, green.count, blue.count)
        self.times = Array(times.prefix(count))
        signals = [red, green, blue].map { colour in colour.prefix(count).map { -$0 } }
        signals.append((0..<count).map { -red[$0] - green[$0] - blue[$0] })
        channels = [.red, .green, .blue, .sum]
    }

    /// A photoplethysmogram whose values rise when the heart beats, as finger clips give it.
    ///
    /// - Parameters:
    ///   - times: seconds.
    ///   - signal: values in any unit, as many as `times`; surplus values are ignored.
    ///   - channel: the name of `signal`.
    package init(times: [Double], signal: [Double], channel: Pulse.Channel = .signal) {
        let count = min(times.count, signal.count)
        self.times = Array(times.prefix(count))
        signals = [Array(signal.prefix(count))]
        channels = [channel]
    }

    /// A photoplethysmogram at a steady rate, beginning at 0 s.
    ///
    /// - Parameter rate: samples per second, more than 0.
    package init(signal: [Double], rate: Double) {
        self.init(times: signal.indices.map { Double($0) / rate }, signal: signal)
    }

    /// An empty trace of a camera, to be appended to.
    package init() { self.init(times: [], red: [], green: [], blue: []) }

    /// Adds one frame of a camera.
    mutating func append(time: Double, red: Double, green: Double, blue: Double) {
        times.append(time)
        for (channel, value) in [red, green, blue, red + green + blue].enumerated() {
            signals[channel].append(-value)
        }
    }

    /// The frames whose times `isWanted` accepts.
    func frames(where isWanted: (Double) -> Bool) -> PulseTrace {
        frames(times.indices.filter { isWanted(times[$0]) }[...])
    }

    /// Some of the frames.
    func frames(_ indices: ArraySlice<Int>) -> PulseTrace {
        var part = self
        part.times = indices.map { times[$0] }
        part.signals = signals.map { signal in indices.map { signal[$0] } }
        return part
    }

    /// The red, green and blue intensity of a frame as received; `nil` if there are no colours.
    func colour(_ frame: Int) -> (red: Double, green: Double, blue: Double)? {
        guard channels.count > 1 else { return nil }
        return (-signals[0][frame], -signals[1][frame], -signals[2][frame])
    }
}
