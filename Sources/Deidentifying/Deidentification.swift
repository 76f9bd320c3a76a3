import Hashing
package import Platform
package import Results
import StudyModel
import TextFormat

/// What is removed from results before they are shared.
package struct Privacy: Sendable {
    package var pseudonyms: Pseudonyms
    package var shiftsDates: Bool
    /// This machine's name, which must not appear in anything that leaves.
    package var machine: String?

    package init(pseudonyms: Pseudonyms, shiftsDates: Bool, machine: String?) {
        self.pseudonyms = pseudonyms
        self.shiftsDates = shiftsDates
        self.machine = machine
    }
}

/// Makes bundles that do not reveal who took part, without codes, names, typed texts, voices, paths, addresses and,
/// on request, dates.
///
/// `FieldShape` lists what may leave; everything else stays behind. Tables, pages and all export formats are made
/// from such a bundle, so none of them can forget anything.
package struct Deidentification: Sendable {
    private let pseudonyms: Pseudonyms
    private let shiftsDates: Bool
    package private(set) var forbidden: ForbiddenTexts
    /// How many answers and voice recordings were removed.
    package private(set) var removed = (answers: 0, sounds: 0)
    /// Codes that cannot be looked for within words and numbers.
    package let weakCodes: [String]

    /// - Parameters:
    ///   - participants: the codes of all participants; none of them may appear in anybody's texts.
    ///   - runs: the runs' UUIDs.
    package init(_ privacy: Privacy, participants: Set<String>, runs: [String]) {
        pseudonyms = privacy.pseudonyms
        shiftsDates = privacy.shiftsDates
        weakCodes = participants.filter(ForbiddenTexts.isWeak).sorted()
        var names: [String: String] = [:]
        for run in runs { names[run] = pseudonyms.uuid(of: run) }
        for participant in participants { names[participant] = pseudonyms.code(of: participant) }
        forbidden = ForbiddenTexts(names, machine: privacy.machine, hidesDates: privacy.shiftsDates)
    }

    /// For the bundles at some paths. Bundles that cannot be read are reported by the code that reads them.
    package init(_ privacy: Privacy, of paths: [String]) {
        var participants: Set<String> = []
        var runs: [String] = []
        for path in paths {
            guard let manifest = Manifest.atHand(path) else { continue }
            participants.insert(manifest.participant)
            runs.append(manifest.runUUID)
        }
        self.init(privacy, participants: participants, runs: runs)
    }

    /// The parts of a bundle that may leave, in memory.
    package mutating func applied(to bundle: ResultBundle) throws -> ResultBundle {
        let manifest = bundle.manifest
        let days = shiftsDates ? pseudonyms.days(of: manifest.participant) : nil
        var place = Place(manifest: manifest, shift: days.map { DateShift(days: $0) })
        var recordings: [String: [UInt8]] = [:]
        for recording in bundle.visits.flatMap(\.recordings) {
            if recording.holdsColumns, let waves = recording.waves {
                let name = recordingName(recording.name, place.shift)
                place.files[recording.name] = name
                recordings[name] = try WaveColumns.renamed(
                    bundle.contents(of: recording),
                    FieldShape.harmless(waves.layout, removed: PrivatePlaces.removed))
                continue
            }
            guard recording.holdsItems else {
                removed.sounds += 1
                continue
            }
            let name = recordingName(recording.name, place.shift)
            place.files[recording.name] = name
            let bytes = try bundle.contents(of: recording)
            let items: JSON
            do throws(JSON.Malformed) { items = try JSON(parsing: bytes) } catch {
                throw FileFailure("read", "\(bundle.path)/\(recording.name)", .malformed("\(error)"))
            }
            recordings[name] = (cleaned(items, .recording, place) ?? .members(["items": []])).encoded()
        }
        guard let result = cleaned(bundle.result, .result, place) else {
            throw FileFailure("read", bundle.path, .malformed("result.json is no object"))
        }
        return try ResultBundle(
            result, of: run(manifest.run, place.shift), endedBy: reason(manifest.status),
            paths: manifest.stepPaths.map { forbidden.clean($0) },
            recordings: recordings, withDates: !shiftsDates, like: bundle)
    }

    /// - Throws: if the bytes or the name contain what must not leave.
    package func check(_ content: [UInt8], _ path: String) throws(FileFailure) {
        guard let found = forbidden.first(in: content) else { return }
        throw FileFailure(
            "write", path,
            .malformed(
                "it would reveal '\(found)'; nothing was written. A code that is also a word of "
                    + "the format cannot be hidden"))
    }

    /// A text of the study, without what must not leave.
    package mutating func cleaned(_ text: String) -> String { forbidden.clean(text) }

    /// The page, after checking that it contains nothing that must not leave.
    package func checked(_ page: String) throws(FileFailure) -> String {
        try check(Array(page.utf8), "the page")
        return page
    }

    /// What is known when a field is processed.
    private struct Place {
        var manifest: Manifest
        var shift: DateShift?
        /// The recorders' files and their new names.
        var files: [String: String] = [:]
    }

    private mutating func run(_ known: RunDescription, _ shift: DateShift?) -> RunDescription {
        var run = known
        run.program = forbidden.clean(known.program)
        run.study = identifier(known.study)
        run.task = identifier(known.task)
        run.participant = pseudonyms.code(of: known.participant)
        run.runUUID = pseudonyms.uuid(of: known.runUUID)
        run.language = known.language.map { Language(forbidden.clean($0.tag)) }
        run.wallClock.zone = PrivatePlaces.removed
        if let shift { run.wallClock.seconds -= Int64(shift.days) * 86_400 }
        run.continues = known.continues.map { pseudonyms.uuid(of: $0) }
        run.gathering = known.gathering.map {
            Gathering(pseudonyms.uuid(of: $0.uuid), place: $0.place, of: $0.size)
        }
        run.yokedTo = known.yokedTo.map { pseudonyms.uuid(of: $0) }
        run.arm = known.arm.map { identifier($0) }
        run.sessionName = known.sessionName.map { identifier($0) }
        run.repeatReason = known.repeatReason.map { _ in PrivatePlaces.removed }
        run.deviation = known.deviation.map { _ in PrivatePlaces.removed }
        // A study may name them by a path.
        run.programs = known.programs.map { UsedFile(name: PrivatePlaces.removed, sha256: $0.sha256) }
        run.images = known.images.map { images in
            ShownImages(
                shownAs: images.shownAs,
                files: images.files.map { UsedFile(name: PrivatePlaces.removed, sha256: $0.sha256) })
        }
        run.audio = ["device", "file", "none"].contains(known.audio) ? known.audio : PrivatePlaces.removed
        if let provenance = known.provenance {
            var sources: [Identifier: String] = [:]
            for (name, kind) in provenance.sources {
                sources[identifier(name)] = SourceConfiguration.Kind(rawValue: kind)?.rawValue ?? "unknown"
            }
            run.provenance = Provenance(
                isParticipantSimulated: provenance.isParticipantSimulated, sources: sources)
        }
        return run
    }

    private mutating func identifier(_ name: Identifier) -> Identifier {
        Identifier(forbidden.clean(name.text)) ?? "removed"
    }

    /// An end of the task has a name of the study's own.
    private mutating func reason(_ known: FinishReason) -> FinishReason {
        guard case .ended(let name) = known else { return known }
        return FinishReason(rawValue: identifier(name).text) ?? .ended("removed")
    }

    private static func isTimeOfDay(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && zip(parts, [24, 60]).allSatisfy { part, limit in
                part.count == 2 && part.allSatisfy { (0x30...0x39).contains($0) }
                    && Int(String(decoding: part, as: UTF8.self)).map { $0 < limit } == true
            }
    }

    /// `HKQuantityTypeIdentifierHeartRate_<UUID with _>-<yyyyMMddHHmmss>.json` with another UUID and stamp.
    private func recordingName(_ name: String, _ shift: DateShift?) -> String {
        let kind = String(name.prefix { $0 != "_" && $0 != "-" })
        let uuid = pseudonyms.uuid(of: name).replacing("-", with: "_")
        // A recorder's own name may have lines and digits, too.
        let stamp =
            name.split(separator: "-").dropFirst().last.map { String($0.prefix { $0.isNumber }) } ?? ""
        let suffix = name.hasSuffix("." + WaveColumns.suffix) ? WaveColumns.suffix : "json"
        let moved = shift.map { $0.stamp(stamp) ?? "" } ?? (stamp.count == 14 ? stamp : "")
        return "\(FieldShape.types.contains(kind) ? kind : "recording")_\(uuid)-\(moved).\(suffix)"
    }

    /// - Returns: `nil` if no part of it may leave.
    private mutating func cleaned(_ value: JSON, _ shape: FieldShape, _ place: Place) -> JSON? {
        switch (shape, value) {
        case (.boolean, .boolean), (.real, .integer), (.real, .real): return value
        // A number beyond its limits could be a day, such as 20260131.
        case (.integer(let range), .integer(let number)): return range.contains(number) ? value : nil
        case (.number(let range), .integer), (.number(let range), .real):
            return value.number.map(range.contains) == true ? value : nil
        case (.real, .text(let text)): return ["inf", "-inf", "nan"].contains(text) ? value : nil
        case (.constant(let constant), .text(let text)): return constant == text ? value : nil
        case (.word(let words), .text(let text)), (.usual(let words), .text(let text)):
            return words.contains(text) ? value : .text(PrivatePlaces.removed)
        case (.timeOfDay, .text(let text)):
            return Self.isTimeOfDay(text) ? value : nil
        case (.checksum, .text(let text)): return SHA256.isHexadecimal(text) ? value : nil
        case (.text, .text(let text)): return .text(forbidden.clean(text))
        case (.identifier, .text(let text)):
            return .text(Identifier(text).map { identifier($0).text } ?? PrivatePlaces.removed)
        case (.typed, _):
            removed.answers += 1
            return .text(PrivatePlaces.removed)
        case (.replaced, _): return .text(PrivatePlaces.removed)
        case (.answeredDate, _):
            // A removed date is missing, because readers would not accept a text instead of a date.
            removed.answers += 1
            return nil
        case (.date, .text(let text)):
            guard DateShift.isDate(text) else { return nil }
            return .text(place.shift?.date(text) ?? text)
        case (.moment, _):
            guard let seconds = value.number else { return nil }
            guard let shift = place.shift else { return value }
            return .real(((seconds - Double(shift.days) * 86_400) * 1e6).rounded() / 1e6)
        case (.run, .text(let text)): return .text(pseudonyms.uuid(of: text))
        case (.participant, .text(let text)): return .text(pseudonyms.code(of: text))
        case (.file, .text(let text)): return place.files[text].map { .text($0) }
        case (.list(let shape), .list(let list)):
            return .list(list.compactMap { ResultRewriting.isSound($0) ? nil : cleaned($0, shape, place) })
        case (.fields(let required, let optional), .object(let object)):
            var members: [String: JSON] = [:]
            for member in object.members {
                guard let shape = required[member.key] ?? optional[member.key] else { continue }
                members[member.key] = cleaned(member.value, shape, place)
            }
            return .members(members)
        case (.named(let shape), .object(let object)):
            var members: [String: JSON] = [:]
            for member in object.members {
                members[forbidden.clean(member.key)] = cleaned(member.value, shape, place)
            }
            return .members(members)
        case (.either(let shapes), _):
            return cleaned(value, shapes.first { $0.fits(value) } ?? .merged(shapes), place)
        case (_, _): return nil
        }
    }
}
