public import StudyModel

/// Which run it was and how it was done; both the journal's header and the manifest say this.
public struct RunDescription: Hashable, Sendable {
    /// The program's version.
    public var program: String
    /// The study's identifier.
    public var study: Identifier
    /// The study's revision.
    public var revision: Int
    /// Lower-case hexadecimal SHA-256 of `study.yaml`.
    public var studySHA256: String
    /// The task.
    public var task: Identifier
    /// The participant's code, as given.
    public var participant: String
    /// The session, from 1.
    public var session: Int
    /// The participant's arm, if the study has arms.
    public var arm: Identifier?
    /// The language of the texts; `nil` if the study has only one.
    public var language: Language?
    /// The run's upper-case UUID, which names the bundle's folder.
    public var runUUID: String
    /// The wall clock at the run's start.
    public var wallClock: WallClock
    /// Seconds of the run per second of real time; `nil` if the run did not wait at all.
    public var speed: Double?
    /// What played the clips; `none` if nothing did.
    public var audio = "none"
    /// Who or what made it; `nil` if the program that ran it does not say.
    public var provenance: Provenance?
    /// Why the session was repeated; `nil` if it was not.
    public var repeatReason: String?
    /// Lower-case hexadecimal SHA-256 of what the study says, regardless of comments and notation; `nil` if the
    /// program that made the run did not record it.
    public var meaningSHA256: String?
    /// Lower-case hexadecimal SHA-256 of the registration that the study names, if it names one.
    public var registrationSHA256: String?
    /// The files of which the programs of steps are made, by name; empty without such steps.
    public var programs: [UsedFile] = []
    /// The pictures of the study, and how they were shown; `nil` if its task has none.
    public var images: ShownImages?
    /// How the run departed from the protocol, in the experimenter's words; `nil` if nothing was said.
    public var deviation: String?
    /// The run, in a bundle of its own, that this one continues; `nil` if it began itself.
    public var continues: String?
    /// The run of another participant whose clips' courses yoked clips took; `nil` if there was none.
    public var yokedTo: String?
    /// The group that took part at once, and this participant's place in it; `nil` for a single participant.
    public var gathering: Gathering?
    /// The session's name, where the study lists its sessions.
    public var sessionName: Identifier?
    /// Calendar days since the first session that the participant had completed, where the study lists its sessions;
    /// `nil` also where that was not looked up.
    public var sessionDay: Int?
    /// What the terminal tells of held keys, where the study measures reactions; `nil` if nobody's keys were read.
    public var keyboard: Keyboard?
}

/// Pictures that a run shows.
public struct ShownImages: Hashable, Sendable {
    public var shownAs: StepImage.Form
    /// Each file, as the study names it.
    public var files: [UsedFile]

    public init(shownAs: StepImage.Form, files: [UsedFile]) { (self.shownAs, self.files) = (shownAs, files) }
}

/// A file that a study uses as it is.
public struct UsedFile: Hashable, Sendable {
    /// As the study names it.
    public var name: String
    /// Lower-case hexadecimal SHA-256.
    public var sha256: String

    public init(name: String, sha256: String) { (self.name, self.sha256) = (name, sha256) }
}

/// Several participants who took part in a run at once. Each of them has a bundle.
public struct Gathering: Hashable, Sendable {
    /// An upper-case UUID, the same in all their bundles.
    public var uuid: String
    /// Which participant this one is, from 1. Only the first was asked.
    public var place: Int
    /// How many participants there were, from 2.
    public var size: Int

    /// - Parameters:
    ///   - uuid: upper-case.
    ///   - place: from 1.
    ///   - size: from 2.
    public init(_ uuid: String, place: Int, of size: Int) {
        (self.uuid, self.place, self.size) = (uuid, place, size)
    }

    /// No more than this many take part in one run.
    package static let largest = 16
}

extension RunDescription {
    /// Whether this participant was a companion: only the first one was asked.
    package var isCompanion: Bool { gathering.map { $0.place > 1 } == true }

    /// The description of a bundle, sealed or not; `nil` if it cannot be read.
    package static func atHand(_ path: String) -> RunDescription? {
        Manifest.atHand(path)?.run ?? JournalHeader.atHand(path)?.run
    }
}
