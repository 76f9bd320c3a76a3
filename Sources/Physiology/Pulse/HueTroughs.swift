/// The simple method of early phone apps: troughs in the change of the picture's hue.
enum HueTroughs {
    /// The shortest distance between two troughs, seconds.
    static let refractory = 0.33

    /// The hue of each frame in degrees, -180...180, so that red, at 0, does not jump by 360. Grey frames have no
    /// hue and are NaN. A trace without colours stays as it is.
    static func hue(of trace: PulseTrace) -> PulseTrace {
        guard trace.channels.count > 1 else { return trace }
        let hues = trace.times.indices.map { frame in
            trace.colour(frame).map { hue(red: $0.red, green: $0.green, blue: $0.blue) } ?? .nan
        }
        return PulseTrace(times: trace.times, signal: hues, channel: .hue)
    }

    /// HSV hue in degrees, -180...180.
    static func hue(red: Double, green: Double, blue: Double) -> Double {
        let top = max(red, green, blue)
        let range = top - min(red, green, blue)
        guard range > 0 else { return .nan }
        let sixth =
            if top == red {
                (green - blue) / range
            } else if top == green {
                2 + (blue - red) / range
            } else {
                4 + (red - green) / range
            }
        return 60 * (sixth > 3 ? sixth - 6 : sixth)
    }

    /// - Returns: samples from the signal's start, ascending.
    static func find(in signal: [Double], rate: Double) -> [Double] {
        guard signal.count > 3 else { return [] }
        let change = zip(signal.dropFirst(), signal).map { $0 - $1 }
        var troughs: [Int] = []
        for index in 1..<change.count - 1
        where change[index] < 0 && change[index] < change[index - 1] && change[index] <= change[index + 1] {
            if let last = troughs.last, Double(index - last) < refractory * rate { continue }
            troughs.append(index)
        }
        return troughs.map { Double($0) + 0.5 }
    }

    /// Beats per minute of a window: the mean over its troughs, each by the distance to the nearer neighbour.
    static func rate(of troughs: [Double]) -> Double? {
        guard troughs.count > 1 else { return nil }
        let gaps = zip(troughs.dropFirst(), troughs).map { $0 - $1 }
        let nearest = troughs.indices.map { index in
            min(index > 0 ? gaps[index - 1] : .infinity, index < gaps.count ? gaps[index] : .infinity)
        }
        return nearest.reduce(0) { $0 + 60 / $1 } / Double(troughs.count)
    }
}
