import TextFormat

/// A clip that is chosen when its step begins: the one of a set that is nearest to what is known then.
public struct NearestClip: Hashable, Sendable {
    public var set: Identifier
    /// At least one.
    public var aims: [Aim]
    /// The clip if an aim is not known; if this is `nil` too, nothing is played.
    public var otherwise: Identifier?
    /// Whether a clip may be chosen again while others of the set were not chosen in this run.
    public var repeats: Bool

    /// What an attribute of the clip is to be near.
    public struct Aim: Hashable, Sendable {
        public var attribute: String
        public var goal: Goal

        public init(attribute: String, goal: Goal) { (self.attribute, self.goal) = (attribute, goal) }
    }

    public enum Goal: Hashable, Sendable {
        case value(Value)
        /// In even steps from the first round of the block around the step to the last one.
        case path(from: Value, to: Value)

        /// What it depends on.
        package var values: [Value] {
            switch self {
            case .value(let value): [value]
            case .path(let from, let to): [from, to]
            }
        }
    }

    public enum Value: Hashable, Sendable {
        case number(Double)
        /// The mean heart rate of the last 10 s, beats per minute.
        case heartRate
        /// The last answer to a question, a number.
        case answer(Identifier)
    }

    public init(set: Identifier, aims: [Aim], otherwise: Identifier? = nil, repeats: Bool = false) {
        (self.set, self.aims) = (set, aims)
        (self.otherwise, self.repeats) = (otherwise, repeats)
    }

    /// Whether it looks at the heart rate.
    package var looksAtHeartRate: Bool { aims.contains { $0.goal.values.contains(.heartRate) } }

    /// The place in the pool of the clip that is nearest.
    ///
    /// Each attribute's distance is measured in standard deviations of the pool, and the clip with the smallest sum
    /// of their squares is the nearest; of several, the first.
    ///
    /// - Parameters:
    ///   - aims: a number for each attribute.
    ///   - chosen: places that were chosen before.
    /// - Returns: `nil` if no clip has numbers for all attributes.
    package func place(in pool: [Stimulus], to aims: [String: Double], besides chosen: Set<Int>) -> Int? {
        let known = pool.indices.filter { place in
            aims.keys.allSatisfy { pool[place].number(of: $0) != nil }
        }
        let fresh = known.filter { !chosen.contains($0) }
        var distances: [Int: Double] = [:]
        for (attribute, aim) in aims.sorted(by: { $0.key < $1.key }) {
            let numbers = known.compactMap { pool[$0].number(of: attribute) }
            let mean = numbers.mean
            let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
            for (place, number) in zip(known, numbers) {
                distances[place, default: 0] +=
                    (number - aim) * (number - aim) / (variance > 0 ? variance : 1)
            }
        }
        return (fresh.isEmpty || repeats ? known : fresh).min {
            (distances[$0, default: 0], $0) < (distances[$1, default: 0], $1)
        }
    }
}

extension Stimulus {
    /// The clip's number under a key of its catalogue entry; for `tempo` also that of its beats.
    package func number(of attribute: String) -> Double? {
        guard attribute != "tempo" else { return tempo }
        return attributes[attribute].flatMap { $0.split(separator: " ").first.flatMap { Double($0) } }
            .flatMap { $0.isFinite ? $0 : nil }
    }
}

extension NearestClip {
    /// What it is near, such as `nearest in tempo to the heart rate`.
    package var words: String {
        "nearest in " + aims.map { "\($0.attribute) to \($0.goal.words)" }.joined(separator: " and in ")
    }
}

extension NearestClip.Goal {
    fileprivate var words: String {
        switch self {
        case .value(let value): value.words
        case .path(let from, let to): "a path from \(from.words) to \(to.words) over the rounds"
        }
    }
}

extension NearestClip.Value {
    fileprivate var words: String {
        switch self {
        case .number(let number): plainNumber(number)
        case .heartRate: "the heart rate"
        case .answer(let question): "the answer to \(question)"
        }
    }
}
