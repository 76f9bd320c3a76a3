import StudyModel
import TextFormat

/// Which clip a step plays, and how.
enum StimulusShape {
    static let inTask = shape("stimulus", rules: [.needsOne("from", of: ["draw", "weights"])])
    static let inBlock = shape("blockStimulus", rules: [])

    private static func shape(_ name: String, rules: [ShapeRule]) -> Shape<Stimulus.Use> {
        Shape(
            name: name, title: "Stimulus", description: "Which clip a step plays, and how.",
            fields: .of(from, draw, weights, play, onset, start, fade, crossFade, crossFadeLaw)
                + .of(gain, loudness, loop, follow, underPrompts),
            rules: [
                .exactlyOne(["from", "play"]), .needs("draw", ["from"]),
                .needs("weights", ["from"]),
                .excludesWords("weights", key: "draw", words: methods.map(\.0)),
                .wordNeeds(key: "draw", word: "weighted", "weights"),
                .atMostOne(["gain", "loudness"]),
                .atMostOne(["fade", "crossFade"]), .needs("crossFadeLaw", ["crossFade"]),
            ] + rules
        ) { fields in
            let (onset, fade, start) = (fields[onset], fields[fade], fields.located(start))
            let (gain, loudness, loops) = (fields[gain], fields[loudness], fields[loop])
            let (following, underPrompts) = (fields[follow], fields[underPrompts])
            let (crossFade, law) = (fields[crossFade], fields[crossFadeLaw])
            guard let choice = fields.node(play) == nil ? drawn(fields) : played(fields) else { return nil }
            var use = Stimulus.Use(
                choice: choice, onset: onset ?? .zero,
                settings: Playback.Settings(fade: fade ?? .zero, gain: gain ?? 0, loops: loops ?? false))
            use.settings.loudness = loudness
            use.settings.crossFade = crossFade ?? .zero
            use.settings.crossFadeLaw = law ?? .power
            use.settings.following = following
            use.settings.gainUnderPrompts = underPrompts ?? 0
            if let following, let node = fields.node(follow) {
                FollowShape.check(following, choice, fields, at: node)
            }
            if let start {
                use.start = start.value
                check(start, of: choice, fields.reading)
            }
            return use
        }
    }

    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, "Set", "The stimulus set to draw from.", example: "clips"
    )
    private static let methods = [
        ("random", DrawMethod.random), ("withoutReplacement", .withoutReplacement), ("fixed", .fixed),
        ("latinSquare", .latinSquare), ("williams", .williams),
    ]
    private static let draw = Field(
        "draw",
        .word(methods, older: [("weighted", .weighted([]))]), "Draw",
        "How the clip is drawn; without this key, in a block over the same set, it is the clip of the round.",
        example: "random")
    private static let weights = Field(
        "weights", .map(.number(0...1_000_000), noun: "clip"), "Weights",
        "In place of 'draw': how likely each clip of the pool is, relative to the others; not all 0.",
        example: ["chill_preview_3": 2, "dark_preview_4": 1])
    private static let play = Field(
        "play", .play, "Play",
        "Always this clip; or the clip that the answer to a question names, or that is nearest to something.",
        example: "chill_preview_3")
    private static let onset = Field(
        "onset", .duration(zeroAllowed: true), usual: "0 s", "Onset",
        "When the clip begins, after the step's start.", example: "2 s")
    private static let start = Field(
        "start", .duration(zeroAllowed: true), usual: "0 s", "Start",
        "From which position of its file the clip is played; a clip that loops then begins again at 0 s.",
        example: "45 s")
    private static let fade = Field(
        "fade", .duration(zeroAllowed: true), usual: "0 s", "Fade",
        "How long the clip takes to fade in and out.", example: "500 ms")
    private static let crossFade = Field(
        "crossFade", .duration(from: .milliseconds(10), to: .seconds(10)), "Cross-fade",
        "How long the clip takes to fade in, and goes on and fades out when its step is over; into a pause or the end of the run nothing fades.",
        example: "3 s")
    private static let crossFadeLaw = Field(
        "crossFadeLaw", .word(Playback.FadeLaw.allCases.map { ($0.rawValue, $0) }), usual: "power",
        "Cross-fade law",
        "What stays the same in a cross-fade: the power, for different clips, or the sum of the amplitudes, for two places of one clip.",
        example: "amplitude")
    private static let gain = Field(
        "gain", .decibels, usual: "0 dB", "Gain", "Change of level.", example: "-3 dB"
    )
    private static let loudness = Field(
        "loudness", .loudness, "Loudness",
        "The integrated loudness (EBU R 128) to which every clip is brought; peaks are never clipped.",
        example: "-23 LUFS")
    private static let loop = Field(
        "loop", .boolean, usual: false, "Loop", "Whether the clip begins again until the step ends.",
        example: true)

    private static let follow = Field(
        "follow", .mapping(FollowShape.shape), "Follow", "What of the clip follows the heart while it plays.",
        example: ["tempo": ["of": "heartRate", "target": "-5 %"]])
    private static let underPrompts = Field(
        "underPrompts", .decibels, usual: "0 dB", "Under prompts",
        "Change of level while a prompt is asked.", example: "-12 dB")

    /// Reports a start that lies behind the end of a clip, as far as the catalogue gives lengths.
    private static func check(
        _ start: Located<Duration>, of choice: Stimulus.Use.Choice, _ reading: Reading
    ) {
        let short = reading.context.clips(of: choice).compactMap { clip in
            clip.duration.map { (clip: clip.identifier, length: $0) }
        }.min { $0.length < $1.length }
        guard let short, start.value >= short.length else { return }
        reading.report(
            .outOfRange,
            "the clip '\(short.clip)' ends before this: it is \(plainNumber(short.length / .seconds(1))) s long",
            at: start.range, help: "write a start before the end of every clip that may be played")
    }

    private static func played(_ fields: Fields) -> Stimulus.Use.Choice? {
        let name: Located<Identifier>
        switch fields[play] {
        case nil: return nil
        case .answer(let chosen): return chosen.resolved(fields.reading)
        case .nearest(let nearest): return nearest.resolved(fields.reading)
        case .clip(let clip): name = clip
        }
        let catalogues = fields.reading.context.catalogues.sorted { $0.key < $1.key }.map(\.value)
        for catalogue in catalogues {
            guard let clip = catalogue.clip(name.value.text) else { continue }
            fields.reading.context.uses.catalogues.insert(catalogue.path)
            return .play(clip)
        }
        if catalogues.allSatisfy(\.isComplete), fields.reading.context.sets.allSatisfy({ $0.pool != nil }) {
            let known = catalogues.flatMap { $0.clips.map(\.identifier.value.text) }
            fields.reading.reportUnknownClip(name, among: known)
        }
        return nil
    }

    private static func drawn(_ fields: Fields) -> Stimulus.Use.Choice? {
        let (name, drawn, weights) = (fields[from], fields.located(draw), fields.located(weights))
        let method = drawn?.value ?? (fields.node(draw) == nil && weights != nil ? .weighted([]) : nil)
        guard let name, let set = fields.reading.set(name) else { return nil }
        if let node = fields.node(draw) {
            fields.reading.rememberSquare(node, ofOrder: false, set.identifier)
        }
        guard let method else {
            let blocks = fields.reading.context.enclosingBlocks
            guard fields.node(draw) == nil, !blocks.isEmpty else { return nil }
            if blocks.contains(where: { $0.set == set.identifier }) { return .roundOf(set: name.value) }
            guard blocks.allSatisfy(\.isSetKnown) else { return nil }
            fields.reading.report(
                .missingKey, "'draw' is missing: the block around this has no rounds over '\(name.value)'",
                at: name.range, help: "add 'draw: random', or 'forEach: \(name.value)' to the block")
            return nil
        }
        guard case .weighted = method else {
            return .draw(set: name.value, method: method)
        }
        if drawn != nil, weights != nil {
            fields.reportOlder(
                draw, "'weights' says already that the draw is weighted", "leave 'draw: weighted' out")
        }
        guard let weights, let pool = set.pool else { return nil }
        let isReadWhole = fields.node(self.weights)?.mappingCount == weights.value.count
        return list(weights, isReadWhole: isReadWhole, pool, fields.reading).map {
            .draw(set: name.value, method: .weighted($0))
        }
    }

    /// The weights in pool order.
    ///
    /// - Parameter isReadWhole: whether every weight could be read; otherwise it is not certain that any is
    ///   missing.
    private static func list(
        _ weights: Located<[Entry<Double>]>, isReadWhole: Bool, _ pool: [Stimulus], _ reading: Reading
    ) -> [Double]? {
        let clips = pool.map(\.identifier)
        for entry in weights.value where !clips.contains(entry.key.value) {
            reading.report(
                .weightsMismatch, "the pool has no clip '\(entry.key.value)'", at: entry.key.range,
                help: Help.nearest(to: entry.key.value.text, among: clips.map(\.text), all: "the pool has"))
        }
        guard isReadWhole else { return nil }
        let missing = Set(clips).subtracting(weights.value.map(\.key.value)).sorted()
        if let first = missing.first {
            reading.report(
                .weightsMismatch,
                missing.count == 1
                    ? "the clip '\(first)' has no weight"
                    : "\(missing.count) clips have no weight, '\(first)' first",
                at: weights.range, help: "add '\(first): 1'")
        } else if weights.value.allSatisfy({ $0.value == 0 }) {
            reading.report(
                .weightsMismatch, "all weights are 0", at: weights.range, help: "write one above 0")
        }
        let list = clips.map { clip in weights.value.first { $0.key.value == clip }?.value }
        return list.contains(nil) ? nil : list.compactMap(\.self)
    }
}

extension Reading {
    /// The set or table with that name; reports if there is none.
    func rounds(_ name: Located<Identifier>) -> StimulusSetDraft? {
        if let rounds = context.rounds(of: name.value) { return rounds }
        let known = context.sets.map(\.identifier) + context.tables.map(\.name)
        report(
            .unknownSet, "there is no stimulus set and no table of conditions '\(name.value)'",
            at: name.range,
            help: Help.nearest(to: name.value.text, among: known, all: "there are")
                ?? "declare it: 'stimuli: {\(name.value): {catalogue: …}}'")
        return nil
    }

    /// The set with that name; reports if there is none.
    func set(_ name: Located<Identifier>) -> StimulusSetDraft? {
        if let set = context.sets.first(where: { $0.identifier == name.value.text }) {
            context.uses.sets.insert(set.identifier)
            return set
        }
        report(
            .unknownSet, "there is no stimulus set '\(name.value)'", at: name.range,
            help: Help.nearest(
                to: name.value.text, among: context.sets.map(\.identifier), all: "the sets are")
                ?? "declare it: 'stimuli: {\(name.value): {catalogue: …}}'")
        return nil
    }
}
