import StudyModel
import TextFormat

/// Sets of clips, under `stimuli`.
enum StimulusSetShape {
    /// What was read of a set.
    struct Draft {
        var pool: [Stimulus]
        /// Where it says that draws go on from session to session.
        var overSessions: SourceRange?
    }

    /// - Returns: `nil` if the pool could not be read.
    static let shape = Shape<Draft>(
        name: "stimulusSet", title: "Stimulus set", description: "Clips to draw from.",
        fields: .of(catalogue, pool, over, Field.comment)
    ) { fields in
        let path = fields.located(catalogue)
        let names = fields[pool]
        let isOverSessions = fields[over] != nil
        guard let path, let catalogue = load(path, fields.reading) else { return nil }
        guard fields.node(pool) == nil || names != nil else { return nil }
        if names == nil, catalogue.clips.isEmpty, catalogue.isComplete {
            fields.reading.report(
                .emptyPool, "the catalogue has no clips", at: path.range, help: "add clips to the catalogue")
            return nil
        }
        let wanted = names ?? catalogue.clips.map(\.identifier)
        let clips = wanted.map { find($0, in: catalogue, fields.reading) }
        guard !clips.contains(nil) else { return nil }
        fields.reading.context.clipUses.pools.append(
            ClipUses.Pool(
                clips: clips.compactMap(\.self),
                place: TextPlace(
                    fields.node(pool) == nil ? path.range : fields.place(of: pool), fields.reading.source)))
        return Draft(
            pool: clips.compactMap(\.self), overSessions: isOverSessions ? fields.node(over)?.range : nil)
    }

    private static let over = Field(
        "over", .word([("sessions", true)]), "Over",
        "sessions: a participant's draws from the set go on from session to session, as if all were one; otherwise each session draws anew.",
        example: "sessions")
    private static let catalogue = Field(
        "catalogue", Kind<String>.path, isRequired: true, "Catalogue",
        "The catalogue that describes the clips; relative to the study file.", example: "../Media/clips.yaml")
    private static let pool = Field(
        "pool", .list(Kind<Identifier>.identifier.located, atLeast: 1, noun: "clip", whenShort: .emptyPool),
        "Pool",
        "The clips to draw from; without this key, the whole catalogue. A clip that is listed twice is twice as likely.",
        example: ["chill_preview_3", "dark_preview_4"])

    private static func load(_ path: Located<String>, _ reading: Reading) -> Catalogue? {
        let normal = FilePath.normal(path.value)
        if let known = reading.context.catalogues[normal] { return known }
        guard let (text, source) = reading.context.text(of: path.value, at: path.range, reading) else {
            return nil
        }
        let catalogue = Catalogue(text, source, path: normal, context: reading.context)
        reading.context.catalogues[normal] = catalogue
        return catalogue
    }

    private static func find(
        _ name: Located<Identifier>, in catalogue: Catalogue, _ reading: Reading
    ) -> Stimulus? {
        if let clip = catalogue.clip(name.value.text) { return clip }
        if catalogue.isComplete {
            reading.reportUnknownClip(name, among: catalogue.clips.map(\.identifier.value.text))
        }
        return nil
    }
}

extension Reading {
    /// Reports a clip that is in no catalogue.
    func reportUnknownClip(_ name: Located<Identifier>, among clips: [String]) {
        report(
            .unknownClip, "there is no clip '\(name.value)'", at: name.range,
            help: Help.nearest(to: name.value.text, among: clips, all: "the clips are"))
    }
}
