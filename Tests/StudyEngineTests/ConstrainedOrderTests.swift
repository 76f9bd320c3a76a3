import Hashing
import StudyEngine
import StudyModel
import Testing

@Suite struct ConstrainedOrderTests {
    private static func pool(_ names: String, moods: [String: String] = [:]) -> [Stimulus] {
        names.split(separator: " ").compactMap { name in
            Identifier(String(name)).map { clip($0, mood: moods[String(name)]) }
        }
    }

    private static func value(_ clip: Stimulus, _ attribute: String) -> String? {
        attribute == "id" ? clip.identifier.text : clip.attributes[attribute]
    }

    /// The constraints word by word, without any of the engine's thoughts.
    private static func keeps(_ order: [Stimulus], _ constraint: OrderConstraint) -> Bool {
        switch constraint {
        case .noImmediateRepeat(let attribute):
            return zip(order, order.dropFirst()).allSatisfy { value($0, attribute) != value($1, attribute) }
        case .maximumRun(let attribute, let length, let only):
            guard order.count > length else { return true }
            return (0..<(order.count - length)).allSatisfy { start in
                let values = Set(order[start...(start + length)].map { value($0, attribute) })
                return values.count > 1 || only != nil && values != [only]
            }
        case .minimumDistance(let attribute, let steps, let only):
            return order.indices.allSatisfy { left in
                order.indices.allSatisfy { right in
                    right <= left || right - left >= steps
                        || value(order[left], attribute) != value(order[right], attribute)
                        || only != nil && value(order[left], attribute) != only
                }
            }
        case .equalHalves(let attribute):
            let first = order.prefix(order.count / 2)
            return order.allSatisfy { clip in
                let all = order.count { value($0, attribute) == value(clip, attribute) }
                let early = first.count { value($0, attribute) == value(clip, attribute) }
                return abs(2 * early - all) <= 1
            }
        case .firstOf(let clips): return order.first.map { clips.contains($0.identifier) } ?? true
        case .notFirst(let clips): return order.first.map { !clips.contains($0.identifier) } ?? true
        case .notLast(let clips): return order.last.map { !clips.contains($0.identifier) } ?? true
        }
    }

    /// All orders that keep the constraints, in the order of their numbers.
    private static func enumerate(_ pool: [Stimulus], _ constraints: [OrderConstraint]) -> [[Stimulus]] {
        guard !pool.isEmpty else { return [[]] }
        func extend(_ prefix: [Stimulus], _ rest: [Stimulus]) -> [[Stimulus]] {
            guard !rest.isEmpty else { return constraints.allSatisfy { keeps(prefix, $0) } ? [prefix] : [] }
            var tried: Set<Identifier> = []
            var orders: [[Stimulus]] = []
            for (place, item) in rest.enumerated() where tried.insert(item.identifier).inserted {
                var left = rest
                left.remove(at: place)
                orders += extend(prefix + [item], left)
            }
            return orders
        }
        // Items are tried in the order of their first appearance in the whole pool.
        let names = pool.map(\.identifier)
        let sorted = pool.sorted {
            (names.firstIndex(of: $0.identifier) ?? 0) < (names.firstIndex(of: $1.identifier) ?? 0)
        }
        return extend([], sorted)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `numbers the orders as a plain enumeration does`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pool = (0..<(1 + random.index(below: 6))).map { _ in
            let item = random.index(below: 4)
            let name: [Identifier] = ["p", "q", "r", "s"]
            return Stimulus(
                identifier: name[item], file: "", path: "",
                attributes: ["mood": "\((item + Int(seed)) / 2)", "tempo": "\(item % (2 + Int(seed % 2)))"])
        }
        let constraints = (0..<(1 + random.index(below: 4))).map { _ in
            let attribute = ["id", "mood", "tempo"][random.index(below: 3)]
            return [
                OrderConstraint.noImmediateRepeat(attribute: attribute),
                .maximumRun(attribute: attribute, length: 1 + random.index(below: 3)),
                .maximumRun(
                    attribute: attribute, length: 1 + random.index(below: 2),
                    only: ["p", "0", "1"][random.index(below: 3)]),
                .minimumDistance(attribute: attribute, steps: random.index(below: 4)),
                .minimumDistance(attribute: attribute, steps: 2 + random.index(below: 2), only: "1"),
                .equalHalves(attribute: attribute),
                .notFirst([["p", "q"], ["r"]][random.index(below: 2)]),
                .notLast([["q"], ["r", "s"]][random.index(below: 2)]),
                .firstOf([["p"], ["q", "r"]][random.index(below: 2)]),
            ][random.index(below: 9)]
        }
        let expected = Self.enumerate(pool, constraints)
        guard !expected.isEmpty else {
            #expect(throws: OrderProblem.infeasible) { try ConstrainedOrder(pool, constraints: constraints) }
            return
        }
        let orders = try ConstrainedOrder(pool, constraints: constraints)
        #expect(orders.count == Natural(UInt64(expected.count)))
        // What is kept of earlier pools is never taken for this one's.
        #expect(try ConstrainedOrder.counting(pool, constraints: constraints).count == orders.count)
        for number in 0..<min(expected.count, 5_000) {
            #expect(orders.order(Natural(UInt64(number))).map { pool[$0] } == expected[number])
        }
    }

    @Test func `keeps all three constraints at once`() throws {
        let pool = Self.pool(
            "a b c d e f", moods: ["a": "x", "b": "x", "c": "x", "d": "y", "e": "y", "f": "y"])
        let twice = pool + pool
        let constraints: [OrderConstraint] = [
            .noImmediateRepeat(attribute: "id"), .maximumRun(attribute: "mood", length: 2),
            .minimumDistance(attribute: "id", steps: 3),
        ]
        let orders = try ConstrainedOrder(twice, constraints: constraints)
        for seed in 0..<300 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let order = orders.draw(using: &random).map { twice[$0] }
            #expect(constraints.allSatisfy { Self.keeps(order, $0) })
            #expect(order.map(\.identifier).sorted() == twice.map(\.identifier).sorted())
        }
    }

    @Test func `each order of a few clips comes as often as any other`() throws {
        let pool = Self.pool(
            "a b c d a b c e f", moods: ["a": "x", "b": "x", "c": "y", "d": "y", "e": "z", "f": "z"])
        let sets: [[OrderConstraint]] = [
            [.noImmediateRepeat(attribute: "id"), .maximumRun(attribute: "mood", length: 2)],
            [.minimumDistance(attribute: "id", steps: 3), .notFirst(["d"])],
            [.equalHalves(attribute: "id"), .notLast(["a"])], [.equalHalves(attribute: "mood")],
            [.noImmediateRepeat(attribute: "mood"), .firstOf(["a", "b"])],
        ]
        for (place, constraints) in sets.enumerated() {
            let pool = Array(pool.prefix(8 - place % 2))
            let orders = try ConstrainedOrder(pool, constraints: constraints)
            let total = Self.enumerate(pool, constraints).count
            #expect(orders.count == Natural(UInt64(total)))
            var counts: [[Int]: Int] = [:]
            for seed in 0..<10_000 as Range<UInt64> {
                var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(place))
                counts[orders.draw(using: &random), default: 0] += 1
            }
            let expected = 10_000 / Double(total)
            let seen = counts.values.map { (Double($0) - expected) * (Double($0) - expected) / expected }
            let squares = seen.reduce(0, +) + expected * Double(total - counts.count)
            let perDegreeOfFreedom = squares / Double(total - 1)
            #expect((0.8...1.2).contains(perDegreeOfFreedom), "\(constraints): \(perDegreeOfFreedom)")
        }
    }

    @Test func `two hundred trials stand in both halves equally often`() throws {
        let trials = Self.trials(200, classes: 4)
        let constraints: [OrderConstraint] = [
            .equalHalves(attribute: "class"), .maximumRun(attribute: "class", length: 2),
        ]
        let orders = try ConstrainedOrder(trials, constraints: constraints)
        var random = SplitMix64(seed: 1)
        let order = orders.draw(using: &random).map { trials[$0] }
        #expect(Set(order).count == 200)
        for constraint in constraints { #expect(Self.keeps(order, constraint)) }
    }

    @Test func `draws all thirty orders of AABBCC equally often`() throws {
        let pool = Self.pool("A A B B C C")
        let orders = try ConstrainedOrder(pool, constraints: [.noImmediateRepeat(attribute: "id")])
        var counts: [String: Int] = [:]
        for seed in 0..<30_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            counts[orders.draw(using: &random).map { pool[$0].identifier.text }.joined(), default: 0] += 1
        }
        #expect(counts.count == 30)
        let squares = counts.values.map { ($0 - 1_000) * ($0 - 1_000) }.reduce(0, +)
        let perDegreeOfFreedom = Double(squares) / 1_000 / 29
        #expect((0.7...1.4).contains(perDegreeOfFreedom))
    }

    @Test(arguments: ["A A A B", "A A", "A A A A B B", "A B A C A A"])
    func `says that no order exists`(names: String) {
        #expect(throws: OrderProblem.infeasible) {
            try ConstrainedOrder(Self.pool(names), constraints: [.noImmediateRepeat(attribute: "id")])
        }
    }

    @Test func `sees that two constraints exclude each other`() {
        let pool = Self.pool("a b c d", moods: ["a": "x", "b": "x", "c": "y", "d": "y"]).map { clip in
            var clip = clip
            clip.attributes["tempo"] = ["a", "c"].contains(clip.identifier.text) ? "fast" : "slow"
            return clip
        }
        #expect(throws: OrderProblem.infeasible) {
            try ConstrainedOrder(
                pool + [pool[0]],
                constraints: [.noImmediateRepeat(attribute: "mood"), .noImmediateRepeat(attribute: "tempo")])
        }
    }

    @Test func `counts different clips beyond 64 bits`() throws {
        func orders(_ count: Int) throws -> ConstrainedOrder {
            try ConstrainedOrder(
                Self.trials(count, classes: 7), constraints: [.maximumRun(attribute: "class", length: 3)])
        }
        #expect("\(try orders(20).count)" == "2432902008176640000")
        #expect("\(try orders(21).count)" == "51090942171709440000")
    }

    /// Different clips, each of one of several classes.
    private static func trials(_ count: Int, classes: Int) -> [Stimulus] {
        (0..<count).compactMap { number in
            Identifier("c\(number)").map { name in
                let value = "\(number % classes)"
                return Stimulus(
                    identifier: name, file: "", path: "", attributes: ["class": value, "same": value])
            }
        }
    }

    @Test(arguments: [
        [OrderConstraint.maximumRun(attribute: "class", length: 2)], [.noImmediateRepeat(attribute: "class")],
        [
            .noImmediateRepeat(attribute: "class"), .maximumRun(attribute: "class", length: 2),
            .minimumDistance(attribute: "class", steps: 2),
        ],
    ])
    func `two hundred trials of four classes keep what was asked`(constraints: [OrderConstraint]) throws {
        let trials = Self.trials(200, classes: 4)
        let orders = try ConstrainedOrder(trials, constraints: constraints)
        #expect(orders.count.bitWidth > 1_000)
        var random = SplitMix64(seed: 1)
        let order = orders.draw(using: &random).map { trials[$0] }
        #expect(Set(order).count == 200)
        for constraint in constraints { #expect(Self.keeps(order, constraint)) }
    }

    /// A second rule on the same classes leaves the orders as they are, and counts them by their states.
    @Test(arguments: [(20, 4, 1), (12, 4, 2), (15, 3, 2), (12, 6, 1), (14, 2, 5)])
    func `both ways of counting number the orders alike`(count: Int, classes: Int, longest: Int) throws {
        let trials = Self.trials(count, classes: classes)
        let rule = OrderConstraint.maximumRun(attribute: "class", length: longest)
        let byRuns = try ConstrainedOrder(trials, constraints: [rule])
        let byStates = try ConstrainedOrder(
            trials, constraints: [rule, .maximumRun(attribute: "same", length: longest)])
        #expect(byRuns.count == byStates.count)
        var random = SplitMix64(seed: 7)
        for _ in 0..<20 {
            let number = random.index(below: byRuns.count)
            #expect(byRuns.order(number) == byStates.order(number))
        }
    }

    @Test func `refuses what is too large in bounded work`() {
        func pool(_ kinds: Int, _ copies: Int) -> [Stimulus] {
            let clips = (0..<kinds).compactMap { number in
                Identifier("c\(number)").map { name in
                    Stimulus(
                        identifier: name, file: "", path: "",
                        attributes: ["mood": "\(number % 7)", "tempo": "\(number % 11)"])
                }
            }
            return Array(repeatElement(clips, count: copies).joined())
        }
        #expect(throws: OrderProblem.tooLarge) {
            try ConstrainedOrder(
                pool(1_000, 1),
                constraints: [.noImmediateRepeat(attribute: "mood"), .noImmediateRepeat(attribute: "tempo")],
                most: 200_000)
        }
        #expect(throws: OrderProblem.tooLarge) {
            try ConstrainedOrder(
                pool(6, 20), constraints: [.minimumDistance(attribute: "id", steps: 4)], most: 200_000)
        }
        #expect(throws: OrderProblem.infeasible) {
            try ConstrainedOrder(pool(100, 10), constraints: [.minimumDistance(attribute: "id", steps: 101)])
        }
        #expect(throws: OrderProblem.tooLarge) {
            try ConstrainedOrder(pool(10, 10_000), constraints: [.noImmediateRepeat(attribute: "id")])
        }
    }

    @Test func `orders a thousand items where few orders exist`() throws {
        let pool = Self.pool(Array(repeating: "A B", count: 500).joined(separator: " "))
        let orders = try ConstrainedOrder(pool, constraints: [.noImmediateRepeat(attribute: "id")])
        #expect(orders.count == 2)
        #expect(
            orders.order(0).map { pool[$0].identifier.text }.joined() == String(repeating: "AB", count: 500))
        #expect(
            orders.order(1).map { pool[$0].identifier.text }.joined() == String(repeating: "BA", count: 500))
    }
}
