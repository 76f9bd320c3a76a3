import StudyModel
package import TextFormat

extension JournalHeader {
    /// The header as the journal's first line holds it.
    var wire: JSON {
        run.wire([
            "drawnFor": drawnFor.map { .text($0) },
            "files": .dictionary(files) { .text($0) },
            "journal": .integer(format),
            "number": number.map { .integer($0) },
            "seed": .text(String(seed)),
            "wallClock": run.wallClock.wire,
        ])
    }

    init(wire: JSON) throws {
        format = try wire.field("journal").asInteger()
        guard format == Self.currentFormat else {
            throw WireFailure("journals of format \(format) are not known to this program")
        }
        run = try RunDescription(wire: wire, wallClock: wire.field("wallClock"))
        number = try wire.optional("number") { try $0.asInteger(in: 1...1_000_000_000) }
        drawnFor = try wire.optional("drawnFor") { try $0.asText() }
        seed = try wire.field("seed").asSeed()
        files = try wire.field("files").asDictionary { try $0.asText() }
    }
}

extension RunDescription {
    /// Everything but the wall clock, with these other members.
    func wire(_ others: [String: JSON?]) -> JSON {
        let own: [String: JSON?] = [
            "arm": arm.map { .text($0) },
            "audio": .text(audio),
            "continues": continues.map { .text($0) },
            "deviation": deviation.map { .text($0) },
            "gathering": gathering?.wire,
            "language": language.map { .text($0.tag) },
            "meaningSHA256": meaningSHA256.map { .text($0) },
            "participant": .text(participant),
            "program": .text(program),
            "provenance": provenance?.wire,
            "registrationSHA256": registrationSHA256.map { .text($0) },
            "repeat": repeatReason.map { .text($0) },
            "revision": .integer(revision),
            "runUUID": .text(runUUID),
            "session": .integer(session),
            "sessionDay": sessionDay.map { .integer($0) },
            "sessionName": sessionName.map { .text($0.text) },
            "yokedTo": yokedTo.map { .text($0) },
            "speed": speed.map { .anyReal($0) },
            "study": .text(study),
            "studySHA256": .text(studySHA256),
            "task": .text(task),
        ]
        return .members(own.merging(others) { $1 }.compactMapValues(\.self))
    }

    init(wire: JSON, wallClock: JSON) throws {
        self.init(
            program: try wire.field("program").asText(), study: try wire.field("study").asIdentifier(),
            revision: try wire.field("revision").asCount(),
            studySHA256: try wire.field("studySHA256").asChecksum(),
            task: try wire.field("task").asIdentifier(),
            participant: try wire.field("participant").asText(),
            session: try wire.field("session").asInteger(in: 1...1_000_000_000),
            language: try wire.optional("language") { Language(try $0.asText()) },
            runUUID: try wire.field("runUUID").asUUID(), wallClock: try WallClock(wire: wallClock),
            speed: try wire.optional("speed") { try $0.asNumber() },
            audio: try wire.field("audio").asText(),
            provenance: try wire.optional("provenance", Provenance.init(wire:)),
            repeatReason: try wire.optional("repeat") { try $0.asText() })
        arm = try wire.optional("arm") { try $0.asIdentifier() }
        meaningSHA256 = try wire.optional("meaningSHA256") { try $0.asChecksum() }
        registrationSHA256 = try wire.optional("registrationSHA256") { try $0.asChecksum() }
        deviation = try wire.optional("deviation") { try $0.asText() }
        continues = try wire.optional("continues") { try $0.asUUID() }
        yokedTo = try wire.optional("yokedTo") { try $0.asUUID() }
        gathering = try wire.optional("gathering", Gathering.init(wire:))
        sessionName = try wire.optional("sessionName") { try $0.asIdentifier() }
        sessionDay = try wire.optional("sessionDay") { try $0.asInteger(in: BundleLimits.sessionDays) }
    }
}

extension Gathering {
    package var wire: JSON { ["place": .integer(place), "size": .integer(size), "uuid": .text(uuid)] }

    init(wire: JSON) throws {
        let size = try wire.field("size").asInteger(in: 2...Self.largest)
        self.init(
            try wire.field("uuid").asUUID(), place: try wire.field("place").asInteger(in: 1...size), of: size)
    }
}

extension WallClock {
    var wire: JSON {
        [
            "nanoseconds": .integer(Int(nanoseconds)),
            "seconds": .integer(Int(seconds)),
            "utcOffset": .integer(utcOffset),
            "zone": .text(zone),
        ]
    }

    init(wire: JSON) throws {
        self.init(
            seconds: Int64(try wire.field("seconds").asInteger(in: BundleLimits.calendarSeconds)),
            nanoseconds: Int64(try wire.field("nanoseconds").asInteger(in: 0...999_999_999)),
            utcOffset: try wire.field("utcOffset").asInteger(in: BundleLimits.utcOffset),
            zone: try wire.field("zone").asText())
    }
}
