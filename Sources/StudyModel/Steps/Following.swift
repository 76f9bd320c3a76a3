/// How a clip answers the participant's heart rate while it plays.
public struct Following: Hashable, Sendable {
    /// How its tempo follows.
    public var tempo: Tempo?
    /// How its level follows.
    public var loudness: Loudness?
    /// A step of another participant's run: the clip repeats the course of that step's clip, instead of following the
    /// heart itself.
    public var yokedTo: Identifier?

    /// How steadily something follows.
    public struct Pace: Hashable, Sendable {
        /// How often it is adjusted; above zero.
        public var interval: Duration
        /// Over how much of the last time the heart rates are averaged; above zero.
        public var smoothing: Duration

        /// The study format's defaults.
        public init(interval: Duration = .seconds(2), smoothing: Duration = .seconds(10)) {
            (self.interval, self.smoothing) = (interval, smoothing)
        }
    }

    /// A clip's tempo is brought near the heart rate.
    public struct Tempo: Hashable, Sendable {
        /// How far the clip's beats are to be from the heart rate, as a share of it; 0.05 is 5 % faster.
        public var target: Double
        /// The least and the greatest change of the clip's own tempo, as shares of it; 0 is among them.
        public var range: ClosedRange<Double>
        /// How many beats of the clip there may be for each heartbeat; the one that changes the clip least when it
        /// begins is kept to its end. At least one, each above zero.
        public var beatsPerHeartbeat: [Double]
        public var pace: Pace

        public init(
            target: Double = 0, range: ClosedRange<Double>, beatsPerHeartbeat: [Double] = [1],
            pace: Pace = Pace()
        ) {
            (self.target, self.range, self.beatsPerHeartbeat) = (target, range, beatsPerHeartbeat)
            self.pace = pace
        }

        /// The factor of a clip's own tempo, to a ten-thousandth.
        ///
        /// - Parameters:
        ///   - rate: the heart rate, beats per minute.
        ///   - tempo: the clip's own, beats per minute.
        ///   - perHeartbeat: beats of the clip for each heartbeat.
        package func factor(for rate: Double, of tempo: Double, perHeartbeat: Double) -> Double {
            let wanted = rate * (1 + target) * perHeartbeat / tempo
            return (min(max(wanted, 1 + range.lowerBound), 1 + range.upperBound) * 10_000).rounded() / 10_000
        }

        /// How many beats for each heartbeat change the clip least.
        package func perHeartbeat(at rate: Double, of tempo: Double) -> Double {
            let change = { (beats: Double) in
                let factor = rate * (1 + target) * beats / tempo
                return max(factor, 1 / factor)
            }
            return beatsPerHeartbeat.min { change($0) < change($1) } ?? 1
        }
    }

    /// A clip's level is a function of the heart rate: straight between points, level beyond them.
    public struct Loudness: Hashable, Sendable {
        /// At least two, by ascending rate.
        public var points: [Point]
        public var pace: Pace

        /// A change of level at a heart rate.
        public struct Point: Hashable, Sendable {
            /// Beats per minute.
            public var rate: Double
            /// dB.
            public var gain: Double

            public init(rate: Double, gain: Double) { (self.rate, self.gain) = (rate, gain) }
        }

        public init(points: [Point], pace: Pace = Pace()) { (self.points, self.pace) = (points, pace) }

        /// The change of level at a heart rate, dB, to a tenth.
        package func gain(at rate: Double) -> Double {
            guard let first = points.first, let last = points.last else { return 0 }
            guard rate > first.rate else { return first.gain }
            guard rate < last.rate else { return last.gain }
            for (before, after) in zip(points, points.dropFirst()) where rate <= after.rate {
                let share = (rate - before.rate) / (after.rate - before.rate)
                return ((before.gain + share * (after.gain - before.gain)) * 10).rounded() / 10
            }
            return last.gain
        }
    }

    public init(tempo: Tempo? = nil, loudness: Loudness? = nil, yokedTo: Identifier? = nil) {
        (self.tempo, self.loudness, self.yokedTo) = (tempo, loudness, yokedTo)
    }

    /// Whether the tempo may change.
    package var changesTempo: Bool { tempo != nil || yokedTo != nil }
}

extension Following {
    /// What of a clip can follow.
    package enum Part: Hashable, Sendable, CaseIterable {
        case tempo
        case loudness
    }

    /// How steadily a part follows; `nil` if it does not.
    package func pace(of part: Part) -> Pace? {
        switch part {
        case .tempo: tempo?.pace
        case .loudness: loudness?.pace
        }
    }
}

extension Stimulus {
    /// The clip's own tempo, beats per minute: its `tempo` in the catalogue, or else that of its beats; `nil` if the
    /// catalogue has neither.
    package var tempo: Double? {
        if let stated = attributes["tempo"].flatMap({ $0.split(separator: " ").first.flatMap { Double($0) } })
        {
            return (1...1_000).contains(stated) ? stated : nil
        }
        switch beats {
        case .steady(let interval, _): return .minute / interval
        case .positions(let beats):
            let intervals = zip(beats, beats.dropFirst()).map { $1 - $0 }.sorted()
            return intervals.isEmpty ? nil : .minute / intervals[intervals.count / 2]
        case nil: return nil
        }
    }
}

extension Duration {
    fileprivate static var minute: Duration { .seconds(60) }
}
