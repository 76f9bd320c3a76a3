import Hashing
import StudyModel

extension PlanDrawing {
    /// The clip of each round of a pass through a block; `nil` if the block goes through no set.
    mutating func rounds(
        of block: Block, at path: [Identifier], pass: Int
    ) throws(PlanProblem) -> [DrawnStimulus?] {
        guard let setName = block.set else { return Array(repeating: nil, count: max(1, block.repetitions)) }
        let (whole, name) = (try self.set(setName), path[path.count - 1])
        var set = whole
        if let other = block.seenIn {
            guard let passes = drawnRounds[other], let last = passes.last else {
                throw .noOrder(block: name, of: other)
            }
            let old = Set((pass <= passes.count ? passes[pass - 1] : last).map(\.index))
            set.pool = set.pool.enumerated().map {
                $1.seen(old.contains($0) ? Block.Take.old : Block.Take.new)
            }
        }
        let taken = try taken(by: block, from: whole, stream: stream("take", path, pass))
        if let taken { set.pool = taken.map { set.pool[$0] } }
        var clips = try clips(of: block, named: name, set, pass: pass, stream: stream("order", path, pass))
        if let taken { for place in clips.indices { clips[place].index = taken[clips[place].index] } }
        drawnRounds[name, default: []].append(clips)
        return clips
    }

    /// Which clips or conditions a pass through a block takes, in the order of the pool; `nil` if it takes all of them.
    private mutating func taken(
        by block: Block, from set: StimulusSet, stream: String
    ) throws(PlanProblem) -> [Int]? {
        guard let take = block.take else { return nil }
        if let column = take.each {
            return try taken(eachOf: column, isRow: take.isRow, from: set, stream: stream).sorted()
        }
        guard !take.isRow else {
            let (clips, row) = try self.row(of: .latin, from: set, method: "latinSquare", session: session)
            let taken = Array(clips.prefix(take.count))
            recordSquare(taken, row: row, method: "latinSquare", from: set)
            return taken.map(\.index).sorted()
        }
        var (random, all) = (generator(stream), Array(set.pool.indices))
        random.shuffle(&all)
        let taken = all.prefix(take.count)
        record(
            Draw(
                stream: stream, method: "withoutReplacement", pool: set.pool.map(\.identifier.text),
                chosen: taken.map { set.pool[$0].identifier.text }))
        return taken.sorted()
    }

    /// One row of each value of a column, in the order of the values.
    private mutating func taken(
        eachOf column: String, isRow: Bool, from set: StimulusSet, stream: String
    ) throws(PlanProblem) -> [Int] {
        var values = set.pool.places(by: column)
        let names = { (places: [Int]) in places.map { set.pool[$0].identifier.text } }
        guard isRow else {
            var random = generator(stream)
            let taken = values.map { $0[random.index(below: $0.count)] }
            record(
                Draw(
                    stream: stream, method: "random", pool: names(values.flatMap(\.self)),
                    chosen: names(taken)))
            return taken
        }
        guard let number else { throw .numberNeeded(set: set.identifier) }
        let (stream, pool) = ("\(Self.squareStream(of: set))/\(column)", values.flatMap(\.self))
        var random = generator(stream, of: "", session: "")
        random.shuffle(&values)
        let row = Square.latin.row(number: number, session: session, size: values[0].count)
        let taken = values.enumerated().map { $1[($0 + row) % $1.count] }
        if !draws.contains(where: { $0.stream == stream }) {
            var draw = Draw(stream: stream, method: "latinSquare", pool: names(pool), chosen: names(taken))
            (draw.number, draw.row) = (number, row)
            record(draw)
        }
        return taken
    }

    private mutating func clips(
        of block: Block, named name: Identifier, _ set: StimulusSet, pass: Int, stream: String
    ) throws(PlanProblem) -> [DrawnStimulus] {
        switch block.order {
        case .fixed:
            let items = block.items(of: set)
            let order = items.indices.map { set.clip($0 % set.pool.count, method: "fixed", stream: stream) }
            record(order, stream, "fixed", from: items)
            return order
        case .shuffle(let constraints):
            return try shuffled(block, named: name, constraints, set: set, stream: stream)
        case .latinSquare:
            return try rows(of: .latin, in: block, set: set, method: "latinSquare")
        case .williams:
            return try rows(of: .williams, in: block, set: set, method: "williams")
        case .sameAs(let other):
            return try same(as: other, block, named: name, set: set, pass: pass, stream: stream)
        }
    }

    /// The round, from 1, before which a block's insertion comes in a pass; after the last round, the number of
    /// rounds plus 1.
    mutating func place(
        of insertion: Block.Insertion, among rounds: Int, at path: [Identifier], pass: Int
    ) -> Int {
        let stream = stream("insert", path, pass)
        let places = Array(insertion.isAnywhere ? 1...(rounds + 1) : min(2, rounds)...rounds)
        var random = generator(stream)
        let place = places[random.index(below: places.count)]
        record(
            Draw(
                stream: stream, method: "insertion", pool: places.map { "\($0)" }, chosen: ["\(place)"]))
        return place
    }

    /// The name of the stream of a step's or block's draw.
    func stream(_ kind: String, _ path: [Identifier], _ visit: Int) -> String {
        "\(kind)/\(task.identifier)/\(path.dotted)/\(visit)"
    }

    /// The order of another block in the same pass, or in its last pass.
    private mutating func same(
        as other: Identifier, _ block: Block, named name: Identifier, set: StimulusSet, pass: Int,
        stream: String
    ) throws(PlanProblem) -> [DrawnStimulus] {
        let passes = drawnRounds[other] ?? []
        guard let known = pass <= passes.count ? passes[pass - 1] : passes.last,
            let first = known.first, first.set == set.identifier,
            known.count == set.pool.count * max(1, block.repetitions)
        else { throw .noOrder(block: name, of: other) }
        let order = known.map { set.clip($0.index, method: "as", stream: stream) }
        record(order, stream, "as", from: block.items(of: set)) { $0.sameAs = first.stream }
        return order
    }

    private mutating func shuffled(
        _ block: Block, named name: Identifier, _ constraints: [OrderConstraint], set: StimulusSet,
        stream: String
    ) throws(PlanProblem) -> [DrawnStimulus] {
        let items = block.items(of: set)
        var random = generator(stream)
        var order = Array(items.indices)
        if constraints.isEmpty {
            random.shuffle(&order)
        } else {
            order = try orders(of: name, items, constraints).draw(using: &random)
        }
        let clips = order.map { set.clip($0 % set.pool.count, method: "shuffle", stream: stream) }
        record(clips, stream, "shuffle", from: items) { draw in
            guard !constraints.isEmpty else { return }
            draw.constraints = constraints
            draw.categories = set.categories(for: constraints)
        }
        return clips
    }

    private mutating func rows(
        of square: Square, in block: Block, set: StimulusSet, method: String
    ) throws(PlanProblem) -> [DrawnStimulus] {
        let (clips, row) = try self.row(of: square, from: set, method: method, session: session)
        let order = Array(repeatElement(clips, count: max(1, block.repetitions)).joined())
        recordSquare(order, row: row, method: method, from: set)
        return order
    }
}

extension StimulusSet {
    /// Attribute → clip → value, for the attributes in `constraints` other than the clip's own identifier.
    fileprivate func categories(for constraints: [OrderConstraint]) -> [String: [String: String]] {
        var categories: [String: [String: String]] = [:]
        for attribute in constraints.compactMap(\.attribute) where attribute != Stimulus.identity {
            for clip in pool {
                categories[attribute, default: [:]][clip.identifier.text] = clip.attributes[attribute]
            }
        }
        return categories
    }
}
