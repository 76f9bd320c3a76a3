import Datasets
import Results
import StudyModel
import TextFormat

/// Takes from runs what tells who took part: codes, names, typed texts, voices, paths, addresses and, where wished,
/// dates.
///
/// Everything that an export writes comes out of here, so that no format can forget something.
struct Deidentification {
    private let pseudonyms: Pseudonyms
    private let shiftsDates: Bool
    private(set) var forbidden: ForbiddenTexts
    /// Answers that were taken away, and recordings of voices.
    private(set) var removed = (answers: 0, sounds: 0)

    /// - Parameters:
    ///   - participants: the codes of everybody in the export; none of them may be in anybody's texts.
    ///   - runs: the runs' UUIDs.
    ///   - machine: this machine's name.
    init(
        _ pseudonyms: Pseudonyms, shiftsDates: Bool, participants: Set<String>, runs: [String],
        machine: String?
    ) {
        self.pseudonyms = pseudonyms
        self.shiftsDates = shiftsDates
        var names: [String: String] = [:]
        for run in runs { names[run] = pseudonyms.uuid(of: run) }
        for participant in participants { names[participant] = pseudonyms.code(of: participant) }
        forbidden = ForbiddenTexts(names, machine: machine)
    }

    mutating func applied(to source: ExportSource) throws -> ExportSource {
        var source = source
        let shift = shiftsDates ? DateShift(days: pseudonyms.days(of: source.participant)) : nil
        var names: [String: String] = [:]
        for name in source.items.keys {
            names[name] = recordingName(name, shift)
        }
        removed.sounds += source.sounds.count
        source.result = cleaned(source.result, shift, names)
        source.items = Dictionary(
            uniqueKeysWithValues: try source.items.map { name, items in
                (names[name] ?? name, cleaned(try JSON(parsing: items), shift, [:]).encoded())
            })
        source.sounds = [:]
        source.run = pseudonyms.uuid(of: source.run)
        source.participant = pseudonyms.code(of: source.participant)
        source.study = forbidden.clean(source.study)
        source.task = forbidden.clean(source.task)
        source.originText = forbidden.clean(source.originText)
        source.stepPaths = source.stepPaths.map { forbidden.clean($0) }
        source.start.zone = "removed"
        if let shift { source.start.seconds -= Int64(shift.days) * 86_400 }
        return source
    }

    /// `HKQuantityTypeIdentifierHeartRate_<UUID with _>-<yyyyMMddHHmmss>.json` with another UUID and stamp.
    private func recordingName(_ name: String, _ shift: DateShift?) -> String {
        let kind = name.prefix { $0 != "_" && $0 != "-" }
        let uuid = pseudonyms.uuid(of: name).replacing("-", with: "_")
        let rest = name.split(separator: "-").dropFirst()
        let stamp = rest.first.map { String($0.prefix { $0.isNumber }) } ?? ""
        let other = rest.dropFirst().map { "-\($0)" }.joined()
        let moved = shift?.stamp(stamp) ?? stamp
        return "\(kind)_\(uuid)-\(moved)\(other.isEmpty ? ".json" : other)"
    }

    private mutating func cleaned(_ value: JSON, _ shift: DateShift?, _ files: [String: String]) -> JSON {
        switch value {
        case .text(let text): return .text(cleaned(text, shift))
        case .list(let list):
            return .list(list.compactMap { ResultRewriting.isSound($0) ? nil : cleaned($0, shift, files) })
        case .object(let object): return cleaned(object, shift, files)
        case .null, .boolean, .integer, .real: return value
        }
    }

    private mutating func cleaned(_ text: String, _ shift: DateShift?) -> String {
        guard DateShift.isDate(text) else { return forbidden.clean(text) }
        return shift?.date(text) ?? text
    }

    private mutating func cleaned(_ object: JSON.Object, _ shift: DateShift?, _ files: [String: String])
        -> JSON
    {
        var members: [String: JSON] = [:]
        for member in object.members {
            switch ResultRewriting.rule(for: member) {
            // A date that is taken away is missing: a text in its place would be no date to a reader.
            case .typedDate?: removed.answers += 1
            case let rule: members[forbidden.clean(member.key)] = cleaned(member.value, rule, shift, files)
            }
        }
        return .members(members)
    }

    private mutating func cleaned(
        _ value: JSON, _ rule: ResultRewriting.Member?, _ shift: DateShift?, _ files: [String: String]
    ) -> JSON {
        switch rule {
        case .typedText?, .typedDate?:
            removed.answers += 1
            return .text(PrivatePlaces.removed)
        case .fileName(let name)?: return .text(files[name] ?? forbidden.clean(name))
        case .moment(let seconds)?:
            guard let shift else { return value }
            return .real(((seconds - Double(shift.days) * 86_400) * 1e6).rounded() / 1e6)
        case nil: return cleaned(value, shift, files)
        }
    }
}

/// Moves the dates of one participant back by whole days, so that times of day and distances stay.
struct DateShift {
    let days: Int

    /// Whether a text is a date in ResearchKit's form, `yyyy-MM-dd'T'HH:mm:ss±HHMM`.
    static func isDate(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00+0000".utf8)
        guard text.utf8.count == pattern.count, CivilDate(String(text.prefix(10))) != nil else {
            return false
        }
        return zip(text.utf8, pattern).allSatisfy { byte, form in
            switch form {
            case UInt8(ascii: "0"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            case UInt8(ascii: "+"): byte == form || byte == UInt8(ascii: "-")
            default: byte == form
            }
        }
    }

    /// - Returns: `nil` if it is not a date.
    func date(_ text: String) -> String? {
        guard Self.isDate(text), let day = day(Array(text.prefix(10).filter { $0 != "-" })) else {
            return nil
        }
        return day + text.dropFirst(10)
    }

    /// `yyyyMMddHHmmss`, as file names bear it.
    func stamp(_ text: String) -> String? {
        guard text.count == 14, let day = day(Array(text.prefix(8))) else { return nil }
        return day.filter { $0 != "-" } + text.dropFirst(8)
    }

    /// The day so many days before `yyyyMMdd`, as `yyyy-MM-dd`.
    private func day(_ digits: [Character]) -> String? {
        guard digits.count == 8, let year = Int(String(digits[..<4])), let month = Int(String(digits[4..<6])),
            let day = Int(String(digits[6...]))
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return date.isInCalendar ? CivilDate(daysSince1970: date.daysSince1970 - days).text : nil
    }
}
