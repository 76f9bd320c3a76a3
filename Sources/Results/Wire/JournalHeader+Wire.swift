import StudyModel
package import TextFormat

extension JournalHeader: Wired {
    /// The journal's first line.
    static let form: WireForm<JournalHeader> = .record(
        JournalHeader.init, WireField("journal", \.format, .integer(currentFormat...currentFormat)),
        WireField(among: \.run, RunDescription.form(clock: "wallClock")),
        WireField(optional: "number", \.number, .ordinal),
        WireField(optional: "drawnFor", \.drawnFor, .participant), WireField("seed", \.seed, .seed),
        WireField("files", \.files, .named(.text)))

    init(wire: JSON) throws {
        let format = try wire.field("journal").asInteger()
        guard format == Self.currentFormat else {
            throw WireFailure("journals of format \(format) are not known to this program")
        }
        self = try Self.form.read(wire)
    }
}

extension RunDescription {
    /// As in the manifest.
    static let form = form(clock: "start")

    /// What the manifest and the journal say about a run.
    ///
    /// - Parameter clock: the key of the wall clock at the run's start.
    static func form(clock: String) -> WireForm<RunDescription> {
        .record(
            {
                RunDescription(
                    program: $0, study: $1, revision: $2, studySHA256: $3, task: $4, participant: $5,
                    session: $6, runUUID: $7, wallClock: $8, audio: $9)
            }, WireField("program", \.program, .text), WireField("study", \.study, .identifier),
            WireField("revision", \.revision, .count), WireField("studySHA256", \.studySHA256, .checksum),
            WireField("task", \.task, .identifier),
            WireField("participant", \.participant, .participant),
            WireField("session", \.session, .ordinal), WireField("runUUID", \.runUUID, .run),
            WireField(clock, \.wallClock), WireField("audio", \.audio, .text)
        ).and {
            WireField(optional: "arm", \.arm, .identifier)
            WireField(optional: "language", \.language, .language)
            WireField(optional: "speed", \.speed, .real)
            WireField(optional: "provenance", \.provenance)
            WireField(optional: "repeat", \.repeatReason, .replaced)
            WireField(optional: "meaningSHA256", \.meaningSHA256, .checksum)
            WireField(optional: "registrationSHA256", \.registrationSHA256, .checksum)
            WireField("programs", unless: [], \.programs, .list())
            WireField(optional: "images", \.images)
            WireField(optional: "deviation", \.deviation, .replaced)
            WireField(optional: "continues", \.continues, .run)
            WireField(optional: "yokedTo", \.yokedTo, .run)
            WireField(optional: "gathering", \.gathering)
            WireField(optional: "sessionName", \.sessionName, .identifier)
            WireField(optional: "sessionDay", \.sessionDay, .integer(BundleLimits.sessionDays))
            WireField(optional: "keyboard", \.keyboard)
        }
    }

    /// The keys of the manifest and the journal whose values differ from those of another description.
    package func keys(differingFrom other: RunDescription) -> [String] {
        let members = { (wire: JSON) in Set(wire.object?.members ?? []) }
        let (own, others) = (members(Self.form.write(self)), members(Self.form.write(other)))
        return Set(own.symmetricDifference(others).map(\.key)).sorted()
    }

    /// Those of the keys whose values a run has in common with the run that it continues, where they differ.
    package func inheritedKeys(differingFrom earlier: RunDescription) -> [String] {
        let inherited: Set = [
            "study", "revision", "studySHA256", "task", "participant", "session", "sessionName", "language",
            "start", "yokedTo",
        ]
        return keys(differingFrom: earlier).filter(inherited.contains)
    }
}

extension Gathering: Wired {
    static let form: WireForm<Gathering> = .record(
        Gathering.init(_:place:of:), WireField("uuid", \.uuid, .run),
        WireField("place", \.place, .integer(1...largest)),
        WireField("size", \.size, .integer(2...largest))
    ).checking { gathering, wire in
        guard gathering.place <= gathering.size else { throw wire.wrong("a place among as many") }
    }

    /// As in the manifest.
    package var json: JSON { wire }
}

extension Provenance: Wired {
    static let form: WireForm<Provenance> = .record(
        Provenance.init, WireField("participant", \.isParticipantSimulated, participantForm),
        WireField("sources", \.sources, sourcesForm))

    /// Everything but `person` counts as simulated.
    private static let participantForm: WireForm<Bool> = .init(
        .word(["person", "simulated"]), write: { $0 ? "simulated" : "person" },
        read: { try $0.asText() != "person" })

    private static let sourcesForm: WireForm<[Identifier: String]> = .init(
        .named(.words(SourceConfiguration.Kind.self)),
        write: { .members(Dictionary(uniqueKeysWithValues: $0.map { ($0.key.text, JSON.text($0.value)) })) },
        read: { wire in
            let sources = try wire.asDictionary { try $0.asText() }
            return Dictionary(
                uniqueKeysWithValues: try sources.map { (try JSON.text($0.key).asIdentifier(), $0.value) })
        })

    /// The kind of each source by its name.
    package var sourcesJSON: JSON { Self.sourcesForm.write(sources) }
}

extension WallClock: Wired {
    static let form: WireForm<WallClock> = .record(
        { WallClock(seconds: Int64($0), nanoseconds: Int64($1), utcOffset: $2, zone: $3) },
        WireField("seconds", \.wholeSeconds, .integer(BundleLimits.calendarSeconds)),
        WireField("nanoseconds", \.wholeNanoseconds, .integer(0...999_999_999)),
        WireField("utcOffset", \.utcOffset, .integer(BundleLimits.utcOffset)),
        WireField("zone", \.zone, .text))

    private var wholeSeconds: Int { Int(seconds) }
    private var wholeNanoseconds: Int { Int(nanoseconds) }
}

extension Keyboard: Wired {
    static let form: WireForm<Keyboard> = .record(
        Keyboard.init(tellsHeldKeys:repetition:), WireField("tellsHeldKeys", \.tellsHeldKeys, .boolean),
        WireField(optional: "repetition", \.repetition))
}

extension Keyboard.Repetition: Wired {
    static let form: WireForm<Keyboard.Repetition> = .record(
        Keyboard.Repetition.init(delay:period:), WireField("delay", \.delay, .elapsed),
        WireField("period", \.period, .elapsed))
}

extension ShownImages: Wired {
    static let form: WireForm<ShownImages> = .record(
        ShownImages.init, WireField("shownAs", \.shownAs, .word("how a picture is shown")),
        WireField("files", \.files, .list()))
}

extension UsedFile: Wired {
    static let form: WireForm<UsedFile> = .record(
        UsedFile.init, WireField("name", \.name, .replaced), WireField("sha256", \.sha256, .checksum))
}
