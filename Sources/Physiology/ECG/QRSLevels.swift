/// How high the waves of beats are, and those between beats.
///
/// Each is the median of the last eight. The threshold lies between them. Source: Hamilton 2002, whose detector
/// compares means and medians of eight.
struct QRSLevels {
    private var beats: [Double]
    private var others: [Double] = []
    private static let memory = 8
    /// Where the threshold lies between the other waves (0) and the beats (1).
    private static let share = 0.35

    /// - Parameter beats: heights that are taken for beats, at least one.
    init(beats: [Double]) { self.beats = Array(beats.suffix(Self.memory)) }

    /// The usual height of beats.
    var beat: Double { median(beats) ?? 0 }
    /// The usual height of other waves.
    var other: Double { median(others) ?? 0 }
    /// Waves above this are beats.
    var threshold: Double { other + Self.share * max(0, beat - other) }

    mutating func add(beat height: Double) { Self.add(height, to: &beats) }
    mutating func add(other height: Double) { Self.add(height, to: &others) }

    private static func add(_ height: Double, to list: inout [Double]) {
        list.append(height)
        if list.count > memory { list.removeFirst() }
    }
}
