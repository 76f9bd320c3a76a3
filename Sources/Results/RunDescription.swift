public import StudyModel

/// Which run it was and how it was done: what the journal's header and the manifest both say.
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
    /// The participant's arm, where the study has arms.
    public var arm: Identifier?
    /// The language of the texts; `nil` if the study has one only.
    public var language: Language?
    /// The run's upper-case UUID, which names the bundle's folder.
    public var runUUID: String
    /// The wall clock at the run's start.
    public var wallClock: WallClock
    /// Seconds of the run per second of real time; `nil` if the run did not wait at all.
    public var speed: Double?
    /// What played the clips; `none` where nothing did.
    public var audio = "none"
    /// Who or what made it; `nil` if the program that ran it does not say.
    public var provenance: Provenance?
    /// Why the session was done again; `nil` if it was not.
    public var repeatReason: String?
    /// Lower-case hexadecimal SHA-256 of what the study says, apart from comments and ways of writing; `nil` where
    /// the program that ran it did not say.
    public var meaningSHA256: String?
    /// Lower-case hexadecimal SHA-256 of the registration that the study names, if it names one.
    public var registrationSHA256: String?
    /// How the run departed from the protocol, in the words of who ran it; `nil` where nothing was said.
    public var deviation: String?
}

extension RunDescription {
    /// That of a sealed bundle, or of a run that is not sealed; `nil` if neither can be read.
    package static func atHand(_ path: String) -> RunDescription? {
        Manifest.atHand(path)?.run ?? JournalHeader.atHand(path)?.run
    }
}
