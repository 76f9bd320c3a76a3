/// Clips to draw from.
public struct StimulusSet: Hashable, Sendable {
    /// The set's name, unique in the study.
    public var identifier: Identifier
    /// The clips in pool order; a clip that is listed twice is twice as likely.
    public var pool: [Stimulus]
    /// Whether a participant's draws go on from session to session, as if all were one.
    public var isOverSessions = false

    public init(identifier: Identifier, pool: [Stimulus]) {
        self.identifier = identifier
        self.pool = pool
    }
}

/// One clip: what a participant hears, and what is known about it. Silence and rows of conditions have no file.
public struct Stimulus: Hashable, Sendable {
    /// The clip's name, unique in its catalogue.
    public var identifier: Identifier
    /// The file as the catalogue writes it, relative to the catalogue.
    public var file: String
    /// The file relative to the study file, in normal form.
    public var path: String
    /// The clip's title.
    public var title: String?
    /// Lower-case hexadecimal SHA-256 of the file, if the catalogue gives it.
    public var sha256: String?
    /// Length of the clip, if the catalogue gives it.
    public var duration: Duration?
    /// When its beats are heard, if the catalogue says so.
    public var beats: BeatGrid?
    /// The tone that it is, if it is one of the program's own.
    public var tone: ReferenceTone?
    /// Change of level wherever the clip is played, dB; as the catalogue says.
    public var gain = 0.0
    /// Every scalar of the catalogue entry as text, by key, such as `mood`, `mode`, `tempo`, `energy` and
    /// `licence`.
    public var attributes: [String: String]

    public init(
        identifier: Identifier, file: String, path: String, title: String? = nil, sha256: String? = nil,
        duration: Duration? = nil, beats: BeatGrid? = nil, attributes: [String: String] = [:]
    ) {
        self.identifier = identifier
        self.file = file
        self.path = path
        self.title = title
        self.sha256 = sha256
        self.duration = duration
        self.beats = beats
        self.attributes = attributes
    }
}

extension Stimulus {
    /// Whether it has a file; silence, clicks, tones and conditions have none.
    package var hasFile: Bool { !path.isEmpty }
    /// Whether it is silence, which has a length but no file.
    package var isSilent: Bool { !hasFile && duration != nil && beats == nil && tone == nil }
    /// Whether it is clicks of the program, one at each beat.
    package var isClicks: Bool { !hasFile && duration != nil && beats != nil }
    /// Whether it is a row of a table of conditions, which cannot be played.
    package var isCondition: Bool { path.isEmpty && duration == nil }

    /// The attribute that stands for the clip's own identifier.
    package static let identity = "id"

    /// The clip's value of an attribute; its name if it lacks the attribute, or if `attribute` is `nil`.
    package func value(of attribute: String?) -> String? {
        guard let attribute, attribute != Self.identity else { return identifier.text }
        return attributes[attribute]
    }
}
