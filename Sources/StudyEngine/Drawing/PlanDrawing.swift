import Hashing
import StudyModel

/// What one draw of a plan remembers for the next.
struct PlanDrawing {
    let study: Study
    let task: Study.Task
    let participant: String
    let number: Int?
    let session: Int
    let seed: UInt64

    private(set) var draws: [Draw] = []
    private(set) var decks: [RunPlan.Deck] = []

    private var drawNumbers: [String: Int] = [:]
    private var deckNumbers: [DeckName: Int] = [:]
    private var drawsFrom: [Identifier: Int]
    private var urns: [Identifier: Urn]
    private var squares: [Identifier: [Int]] = [:]
    private var orders: [Identifier: (of: [Stimulus], counted: ConstrainedOrder)] = [:]
    /// How often each step and block has been gone through so far.
    private var visits: [[Identifier]: Int] = [:]
    /// The clips of the rounds of every pass drawn so far, by block.
    var drawnRounds: [Identifier: [[DrawnStimulus]]] = [:]
    /// The drawn orders of what steps show, by stream; the same at every visit and in every session.
    var shownOrders: [String: [Int]] = [:]

    /// Clips that are dealt without replacement, with the generator that shuffles each new lot.
    private struct Urn {
        var random: SplitMix64
        var left: ArraySlice<Int> = []
    }

    private struct DeckName: Hashable {
        var set: Identifier
        var method: String
    }

    init(
        study: Study, task: Study.Task, participant: String, number: Int?, session: Int, seed: UInt64,
        after earlier: PlanDrawing? = nil
    ) {
        let isKept = { (set: Identifier) in study.stimulusSet(set)?.isOverSessions == true }
        drawsFrom = earlier?.drawsFrom.filter { isKept($0.key) } ?? [:]
        urns = earlier?.urns.filter { isKept($0.key) } ?? [:]
        self.study = study
        self.task = task
        self.participant = participant
        self.number = number
        self.session = session
        self.seed = seed
    }

    /// The entries of one pass through an element of the task's list.
    ///
    /// - Parameter blocks: those around it, the innermost last.
    mutating func entries(
        of step: Step, in blocks: [RunPlan.Enclosing] = []
    ) throws(PlanProblem) -> [RunPlan.Entry] {
        let path = (blocks.last?.path ?? []) + [step.identifier]
        let visit = visits[path, default: 0] + 1
        visits[path] = visit
        guard case .block(let block) = step.kind else {
            return [try entry(step, path: path, visit: visit, in: blocks)]
        }
        var entries: [RunPlan.Entry]
        if let staircase = block.staircase {
            entries = try self.entries(of: step, block, staircase, at: path, pass: visit, in: blocks)
        } else {
            entries = try self.entries(of: step, block, at: path, pass: visit, in: blocks)
        }
        if let use = block.stimulus, !entries.isEmpty {
            let clip = try choice(use.choice, in: blocks, at: step, stream("music", path, visit))
            entries.begin(SpanningMusic(of: step.identifier, use), clip)
        }
        return entries
    }

    /// The entries of one pass through all rounds of a block.
    private mutating func entries(
        of step: Step, _ block: Block, at path: [Identifier], pass visit: Int, in blocks: [RunPlan.Enclosing]
    ) throws(PlanProblem) -> [RunPlan.Entry] {
        let rounds = try rounds(of: block, at: path, pass: visit)
        let place = block.insertion.map {
            self.place(of: $0, among: rounds.count, at: path, pass: visit)
        }
        var entries: [RunPlan.Entry] = []
        for number in 1...(rounds.count + 1) {
            var around = RunPlan.Enclosing(step: step, path: path, pass: visit)
            if number == place {
                for inner in block.insertion?.steps ?? [] {
                    entries += try self.entries(of: inner, in: blocks + [around])
                }
            }
            guard number <= rounds.count else { continue }
            around.round = number
            around.clip = rounds[number - 1]
            let here = blocks + [around]
            let row = around.clip.map { block.row(of: $0, among: block.filled.count / 2) }
            for inner in row.flatMap({ block.filled.isEmpty ? nil : block.filled[$0] }) ?? block.steps {
                entries += try self.entries(of: inner, in: here)
            }
        }
        return entries
    }

    private mutating func entry(
        _ step: Step, path: [Identifier], visit: Int, in blocks: [RunPlan.Enclosing]
    ) throws(PlanProblem) -> RunPlan.Entry {
        var entry = RunPlan.Entry(
            step: timed(ordered(step, path: path), path: path, visit: visit),
            path: path, visit: visit, round: blocks.last { $0.round != nil }?.round)
        entry.blocks = blocks
        guard case .active(let active) = step.kind, let request = active.stimulus else { return entry }
        entry.stimulus = try choice(request.choice, in: blocks, at: step, stream("draw", path, visit))
        return entry
    }

    /// The clip that a step, a block or music plays.
    ///
    /// - Parameter blocks: the blocks around it.
    private mutating func choice(
        _ choice: Stimulus.Use.Choice, in blocks: [RunPlan.Enclosing], at step: Step, _ stream: String
    ) throws(PlanProblem) -> RunPlan.Choice? {
        switch choice {
        case .play(let clip):
            return .clip(DrawnStimulus(stimulus: clip, set: nil, method: "play", stream: nil, index: 0))
        case .roundOf(let set):
            guard let clip = blocks.last(where: { $0.clip?.set == set })?.clip else {
                throw .noRound(step: step.identifier, set: set)
            }
            return .clip(clip)
        case .answered(let question, let set, let otherwise):
            let set = try self.set(set)
            let index = otherwise.flatMap { clip in set.pool.firstIndex { $0.identifier == clip } }
            let other = index.map { set.clip($0, method: "otherwise", stream: nil) }
            return .answered(question, from: set, otherwise: other)
        case .nearest(let nearest):
            let set = try self.set(nearest.set)
            let index = nearest.otherwise.flatMap { clip in set.pool.firstIndex { $0.identifier == clip } }
            let other = index.map { set.clip($0, method: "otherwise", stream: nil) }
            return .nearest(nearest, from: set, otherwise: other)
        case .draw(let set, let method): return try draw(method, from: set, stream: stream)
        }
    }

    /// Adds the music that begins with an element of the task's list to the first entry of a pass through it.
    ///
    /// - Parameter pass: from 1.
    mutating func addMusic(
        to entries: inout [RunPlan.Entry], of step: Identifier, pass: Int
    ) throws(PlanProblem) {
        guard !entries.isEmpty, let music = music(from: step, entries[0].step) else { return }
        let stream = stream("music", [music.identifier], pass)
        entries.begin(music, try choice(music.use.choice, in: [], at: entries[0].step, stream))
    }

    /// A sound check plays as music does, while its question is on the screen.
    private func music(from name: Identifier, _ step: Step) -> SpanningMusic? {
        step.soundCheck.map { SpanningMusic(of: name, $0.use) } ?? task.music.first { $0.from == name }
    }

    /// The draw of a step itself.
    private mutating func draw(
        _ method: DrawMethod, from name: Identifier, stream: String
    ) throws(PlanProblem) -> RunPlan.Choice {
        let set = try self.set(name)
        let earlier = drawsFrom[name, default: 0]
        drawsFrom[name] = earlier + 1
        switch method {
        case .random:
            var random = generator(stream)
            let clip = set.clip(random.index(below: set.pool.count), method: method.name, stream: stream)
            record([clip], stream, method.name, from: set.pool)
            return .clip(clip)
        case .weighted(let weights):
            guard weights.areUsable(for: set) else { throw .weights(set: name) }
            var random = generator(stream)
            let clip = set.clip(random.index(weighted: weights), method: method.name, stream: stream)
            record([clip], stream, method.name, from: set.pool) { $0.weights = weights }
            return .clip(clip)
        case .withoutReplacement:
            let stream = set.isOverSessions ? "draw/*/\(name)" : "draw/\(task.identifier)/*/\(name)"
            let clip = set.clip(dealt(from: set, stream), method: method.name, stream: stream)
            record([clip], stream, method.name, from: set.pool)
            return deal(clip, from: name)
        case .fixed:
            let clip = set.clip(earlier % set.pool.count, method: method.name, stream: stream)
            record([clip], stream, method.name, from: set.pool)
            return deal(clip, from: name)
        case .latinSquare: return try drawRow(of: .latin, from: set, entry: earlier, method)
        case .williams: return try drawRow(of: .williams, from: set, entry: earlier, method)
        }
    }

    private mutating func drawRow(
        of square: Square, from set: StimulusSet, entry: Int, _ method: DrawMethod
    ) throws(PlanProblem) -> RunPlan.Choice {
        let (clips, row) = try self.row(
            of: square, from: set, method: method.name, session: set.isOverSessions ? 1 : session)
        let clip = clips[entry % clips.count]
        recordSquare([clip], row: row, method: method.name, from: set)
        return deal(clip, from: set.identifier)
    }

    /// Adds a clip to the end of the deck for its set and method.
    private mutating func deal(_ clip: DrawnStimulus, from set: Identifier) -> RunPlan.Choice {
        let name = DeckName(set: set, method: clip.method)
        if let deck = deckNumbers[name] {
            decks[deck].clips.append(clip)
            return .next(deck: deck)
        }
        deckNumbers[name] = decks.count
        decks.append(RunPlan.Deck(clips: [clip]))
        return .next(deck: decks.count - 1)
    }

    private mutating func dealt(from set: StimulusSet, _ stream: String) -> Int {
        var urn =
            urns[set.identifier]
            ?? Urn(
                random: set.isOverSessions
                    ? lastingGenerator(stream) : generator(stream))
        if urn.left.isEmpty {
            var order = Array(set.pool.indices)
            urn.random.shuffle(&order)
            urn.left = order[...]
        }
        let index = urn.left.removeFirst()
        urns[set.identifier] = urn
        return index
    }

    /// The set of that name, with at least one clip.
    func set(_ name: Identifier) throws(PlanProblem) -> StimulusSet {
        guard let set = study.rounds(name), !set.pool.isEmpty else { throw .noClips(set: name) }
        return set
    }

    /// The participant's row of a square over the clips of `set`, which are shuffled once.
    mutating func row(
        of square: Square, from set: StimulusSet, method: String, session: Int
    ) throws(PlanProblem) -> (clips: [DrawnStimulus], row: Int) {
        guard let number else { throw .numberNeeded(set: set.identifier) }
        let stream = Self.squareStream(of: set)
        let size = set.pool.count
        let row = square.row(number: number, session: session, size: size)
        let shuffled = shuffledOnce(set, stream)
        let clips = square.order(row: row, size: size).map {
            set.clip(shuffled[$0], method: method, stream: stream)
        }
        return (clips, row)
    }

    private mutating func shuffledOnce(_ set: StimulusSet, _ stream: String) -> [Int] {
        if let known = squares[set.identifier] { return known }
        var random = generator(stream, of: "", session: "")
        var shuffled = Array(set.pool.indices)
        random.shuffle(&shuffled)
        squares[set.identifier] = shuffled
        return shuffled
    }

    /// The orders of a block's rounds. They are counted once, however often the block is visited with the same rounds.
    mutating func orders(
        of block: Identifier, _ items: [Stimulus], _ constraints: [OrderConstraint]
    ) throws(PlanProblem) -> ConstrainedOrder {
        if let known = orders[block], known.of == items { return known.counted }
        do throws(OrderProblem) {
            let counted = try ConstrainedOrder.counting(items, constraints: constraints)
            orders[block] = (items, counted)
            return counted
        } catch {
            throw .order(block: block, error)
        }
    }

    static func squareStream(of set: StimulusSet) -> String { "square/\(set.identifier)" }

    /// The generator for a stream of this participant's session.
    func generator(_ stream: String) -> SplitMix64 {
        generator(stream, of: participant, session: "\(session)")
    }

    /// The generator for a stream of this participant in all sessions.
    func lastingGenerator(_ stream: String) -> SplitMix64 { generator(stream, of: participant, session: "") }

    func generator(_ stream: String, of participant: String, session: String) -> SplitMix64 {
        let text = RunPlan.streamText(
            study.identifier, seed: seed, participant: participant, session: session, stream)
        return SplitMix64(seed: SHA256.streamSeed(of: text))
    }

    /// Adds a draw to the record.
    mutating func record(_ draw: Draw) { draws.append(draw) }

    /// Adds what was chosen to the draw of its stream.
    mutating func record(
        _ chosen: [DrawnStimulus], _ stream: String, _ method: String, from pool: [Stimulus],
        details: (inout Draw) -> Void = { _ in }
    ) {
        let names = chosen.map(\.stimulus.identifier.text)
        let key = "\(method) \(stream)"
        if let known = drawNumbers[key] {
            draws[known].chosen += names
            return
        }
        var draw = Draw(stream: stream, method: method, pool: pool.map(\.identifier.text), chosen: names)
        details(&draw)
        drawNumbers[key] = draws.count
        draws.append(draw)
    }

    mutating func recordSquare(_ chosen: [DrawnStimulus], row: Int, method: String, from set: StimulusSet) {
        record(chosen, Self.squareStream(of: set), method, from: set.pool) { [number] draw in
            draw.number = number
            draw.row = row
        }
    }
}

extension StimulusSet {
    func clip(_ index: Int, method: String, stream: String?) -> DrawnStimulus {
        DrawnStimulus(stimulus: pool[index], set: identifier, method: method, stream: stream, index: index)
    }
}

extension [Double] {
    fileprivate func areUsable(for set: StimulusSet) -> Bool {
        count == set.pool.count && allSatisfy { $0.isFinite && $0 >= 0 } && contains { $0 > 0 }
            && reduce(0, +).isFinite
    }
}

extension [RunPlan.Entry] {
    /// Lets music begin with the first visit, whichever rung of a staircase that is.
    fileprivate mutating func begin(_ music: SpanningMusic, _ clip: RunPlan.Choice?) {
        for place in indices where self[place].isSameVisit(as: self[0]) {
            (self[place].music, self[place].stimulus) = (music, clip)
        }
    }
}
