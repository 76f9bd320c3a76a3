import StudyModel

/// All constraints on one attribute, or on one of its values, as the single limit that they amount to.
struct OrderRule: Sendable {
    var attribute: String
    /// The only value that is limited; `nil` if all are.
    var only: String?
    var limit: Limit
    /// How many different values the items have; with `only`, that value is the first, and all others are the second.
    var values = 0
    /// The value that is not limited, if there is one.
    var freeValue: Int? { only == nil ? nil : 1 }

    enum Limit: Hashable, Sendable {
        /// Two alike are at least this many places apart; 2 forbids neighbours.
        case distance(Int)
        /// At most this many neighbours are alike; at least 2.
        case run(Int)
    }

    /// One rule for each attribute and each value that is limited alone, in the order in which the constraints name them.
    static func rules(for constraints: [OrderConstraint]) -> [OrderRule] {
        var rules: [OrderRule] = []
        for constraint in constraints {
            guard let (attribute, only, limit) = constraint.normalised, let limit else { continue }
            if let known = rules.firstIndex(where: { $0.attribute == attribute && $0.only == only }) {
                rules[known].limit = rules[known].limit.stricter(limit)
            } else {
                rules.append(OrderRule(attribute: attribute, only: only, limit: limit))
            }
        }
        return rules
    }
}

extension OrderConstraint {
    /// The attribute that the constraint looks at, if it looks at one.
    var attribute: String? {
        switch self {
        case .noImmediateRepeat(let attribute), .maximumRun(let attribute, _, _),
            .minimumDistance(let attribute, _, _), .equalHalves(let attribute):
            attribute
        case .firstOf, .notFirst, .notLast: nil
        }
    }

    /// The attribute whose values are in both halves equally often.
    var halvedAttribute: String? {
        switch self {
        case .equalHalves(let attribute): attribute
        case .noImmediateRepeat, .maximumRun, .minimumDistance, .firstOf, .notFirst, .notLast: nil
        }
    }

    /// Whether a clip may stand first, as far as the constraint says.
    func allowsFirst(_ clip: Stimulus) -> Bool {
        switch self {
        case .firstOf(let clips): clips.contains(clip.identifier)
        case .notFirst(let clips): !clips.contains(clip.identifier)
        case .notLast, .noImmediateRepeat, .maximumRun, .minimumDistance, .equalHalves: true
        }
    }

    /// Whether a clip may stand last, as far as the constraint says.
    func allowsLast(_ clip: Stimulus) -> Bool {
        switch self {
        case .notLast(let clips): !clips.contains(clip.identifier)
        case .firstOf, .notFirst, .noImmediateRepeat, .maximumRun, .minimumDistance, .equalHalves: true
        }
    }

    fileprivate var normalised: (attribute: String, only: String?, limit: OrderRule.Limit?)? {
        switch self {
        case .noImmediateRepeat(let attribute): (attribute, nil, .distance(2))
        case .maximumRun(let attribute, let length, let only):
            (attribute, only, length < 2 ? .distance(2) : .run(length))
        case .minimumDistance(let attribute, let steps, let only):
            (attribute, only, steps < 2 ? nil : .distance(steps))
        case .equalHalves, .firstOf, .notFirst, .notLast: nil
        }
    }
}

extension OrderRule.Limit {
    /// The limit that satisfies both; a distance leaves no runs at all.
    func stricter(_ other: Self) -> Self {
        switch (self, other) {
        case (.distance(let first), .distance(let second)): .distance(max(first, second))
        case (.run(let first), .run(let second)): .run(min(first, second))
        case (.distance, .run): self
        case (.run, .distance): other
        }
    }

    /// The largest value of `heat(after:isPlaced:)`.
    var mostHeat: Int {
        switch self {
        case .distance(let distance): min(distance, OrderKinds.largestOrder) - 1
        case .run(let length): min(length, OrderKinds.largestOrder)
        }
    }

    /// Whether this many items of one value could break the rule at all.
    func canBreak(with items: Int) -> Bool {
        switch self {
        case .distance: items > 1
        case .run(let length): items > length
        }
    }

    /// The heat of a value after an item was placed. For a distance it is the number of places at which the value
    /// is still forbidden; for a run, the length of its run at the right end.
    ///
    /// - Returns: `nil` if its heat did not allow placing it.
    func heat(after heat: Int, isPlaced: Bool) -> Int? {
        switch (self, isPlaced) {
        case (.distance, true): heat == 0 ? mostHeat : nil
        case (.distance, false): max(0, heat - 1)
        case (.run(let length), true): heat < length ? heat + 1 : nil
        case (.run, false): 0
        }
    }

    /// Whether `items` of one value fit among the `all` items that are left, whatever the others do.
    func canPlace(_ items: Int, of all: Int, heat: Int) -> Bool {
        guard items > 0 else { return true }
        switch self {
        case .distance(let distance):
            let (span, isTooLong) = (items - 1).multipliedReportingOverflow(by: distance)
            return !isTooLong && span < all - heat
        case .run(let length):
            let (room, isEnough) = (all - items + 1).multipliedReportingOverflow(by: length)
            return isEnough || items <= room - heat
        }
    }
}
