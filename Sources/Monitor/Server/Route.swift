import Hashing
import MonitorInterface
import Results
import TextFormat

/// The meaning of a path.
enum Route: Hashable, Sendable {
    case live, history, settings, signIn, signOut
    case asset(hash: String, name: String)
    case openAPI
    case addHeartRate
    case sessions
    case session(String)
    case heartRate(String)
    case events(String)
    /// The heart rates of a session, or of a day, as CSV.
    case sessionTable(String), dayTable(String)
    case alive(String)
    /// What experimenters want of a run.
    case requests(String)
    /// The run's answer to the request with that number.
    case request(String, Int)
    case clock
    case stream
    case notes
    case note(Int64)
    case participants
    case today
    case day(String)
    case allocations, allocationCheck, allocationEnd
    /// The alarms of all runs, of one, and one alarm.
    case alarms, sessionAlarms(String), alarm(Int64)
    /// What was deleted, and the way in for more.
    case deletions
    /// Sessions that do not go on any more.
    case finished
    /// How far studies have come, as the registers of rooms see it, and that of one study.
    case studies, study(String)
    /// All bundles that are kept, how far one has come, a piece of one of its files, and its end.
    case bundles, bundle(KeptBundles.Name), bundlePiece(KeptBundles.Name), bundleSeal(KeptBundles.Name)

    /// - Parameter path: of the URL, without its query.
    /// - Returns: `nil` for unknown paths. Nothing is decoded, so no two paths mean the same.
    init?(_ path: String) {
        let parts = path.split(separator: Character("/"), omittingEmptySubsequences: false).map(String.init)
        guard parts.first == "" else { return nil }
        let words = Array(parts.dropFirst())
        guard words == [""] || words.allSatisfy({ Self.isIdentifier($0) }) else { return nil }
        switch (words.count, words.first) {
        case (1, let word?): self.init(word: word)
        case (3..., "assets"): self = .asset(hash: words[1], name: words[2...].joined(separator: "/"))
        case (2..., "api"): self.init(api: Array(words.dropFirst()))
        default: return nil
        }
    }

    private init?(word: String) {
        switch word {
        case "": self = .live
        case "history": self = .history
        case "settings": self = .settings
        case "sign-in": self = .signIn
        case "sign-out": self = .signOut
        case "openapi.json": self = .openAPI
        case "addheartrate": self = .addHeartRate
        default: return nil
        }
    }

    private init?(api words: [String]) {
        switch (words.count, words[0]) {
        case (1, "sessions"): self = .sessions
        case (1, "events"): self = .stream
        case (1, "notes"): self = .notes
        case (1, "participants"): self = .participants
        case (1, "clock"): self = .clock
        case (1, "deletions"): self = .deletions
        case (1, "finished"): self = .finished
        case (1, MonitorPath.studies): self = .studies
        case (2, MonitorPath.studies): self = .study(words[1])
        case (1, MonitorPath.alarms): self = .alarms
        case (2, MonitorPath.alarms):
            guard let number = Self.number(words[1]) else { return nil }
            self = .alarm(number)
        case (3, "sessions") where words[2] == MonitorPath.alarms: self = .sessionAlarms(words[1])
        case (1, "bundles"): self = .bundles
        case (3..., "bundles"):
            guard let route = Self(bundle: Array(words.dropFirst())) else { return nil }
            self = route
        case (1, "allocations"): self = .allocations
        case (2, "allocations") where words[1] == "check": self = .allocationCheck
        case (2, "allocations") where words[1] == "end": self = .allocationEnd
        case (2, "sessions"): self = .session(words[1])
        case (2, "notes"):
            guard let number = Self.number(words[1]) else { return nil }
            self = .note(number)
        case (2, "days"): self = words[1] == "today" ? .today : .day(words[1])
        case (3, "sessions") where words[2] == MonitorPath.heartRate: self = .heartRate(words[1])
        case (3, "sessions") where words[2] == MonitorPath.events: self = .events(words[1])
        case (3, "sessions") where words[2] == MonitorPath.alive: self = .alive(words[1])
        case (3, "sessions") where words[2] == Self.table: self = .sessionTable(words[1])
        case (3, "days") where words[2] == Self.table: self = .dayTable(words[1])
        case (3, "sessions") where words[2] == MonitorPath.requests: self = .requests(words[1])
        case (4, "sessions") where words[2] == MonitorPath.requests:
            guard let number = Self.number(words[3]) else { return nil }
            self = .request(words[1], Int(number))
        default: return nil
        }
    }

    /// - Parameter words: a run, the sum of its sums, and what is done, if anything.
    private init?(bundle words: [String]) {
        guard UUIDText.isUUID(words[0]), SHA256.isHexadecimal(words[1]) else { return nil }
        let name = KeptBundles.Name(run: words[0], sums: words[1])
        switch Array(words.dropFirst(2)) {
        case []: self = .bundle(name)
        case [MonitorPath.piece]: self = .bundlePiece(name)
        case [MonitorPath.seal]: self = .bundleSeal(name)
        default: return nil
        }
    }

    private static func number(_ word: String) -> Int64? {
        Int64(word).flatMap { $0 > 0 && String($0) == word ? $0 : nil }
    }

    /// The name of a table of heart rates, below a session or a day.
    private static let table = "heart-rate.csv"

    /// 1 to 64 letters, digits, '.', '_' and '-', but not only points.
    static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
            && text.utf8.contains { $0 != UInt8(ascii: ".") }
    }

    /// Whether a byte may be in an identifier.
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Names under `/api/sessions` that do not stand for a session.
    static let reservedSessions: Set<String> = [MonitorPath.readings]

    /// The methods that the route accepts, for `Allow`.
    var methods: [String] {
        switch self {
        case .live, .history, .settings, .asset, .openAPI, .session, .stream, .participants, .today, .day,
            .clock, .sessionTable, .dayTable, .alarms, .sessionAlarms, .bundles, .bundle, .finished, .studies:
            ["GET", "HEAD"]
        case .addHeartRate, .notes, .alive, .signOut, .allocations, .allocationCheck, .allocationEnd,
            .request, .alarm, .bundlePiece, .bundleSeal, .study:
            ["POST"]
        case .sessions, .heartRate, .events, .note, .requests, .deletions: ["GET", "HEAD", "POST"]
        case .signIn: ["GET", "HEAD", "POST"]
        }
    }

    /// What a token must allow for a method.
    ///
    /// - Returns: `nil` if no token is needed.
    func scope(posting: Bool) -> Scope? {
        switch self {
        case .signIn, .signOut, .asset, .openAPI, .clock: nil
        case .requests: posting ? .control : .ingest
        case .request, .study: .ingest
        case .bundle, .bundlePiece, .bundleSeal: .deliver
        case .deletions: posting ? .delete : .read
        case .alarm: .control
        case .notes, .note: .read
        case .allocations, .allocationCheck, .allocationEnd: .allocate
        case .live, .history, .settings, .addHeartRate, .sessions, .session, .heartRate, .events, .alive,
            .stream,
            .participants, .today, .day, .sessionTable, .dayTable, .alarms, .sessionAlarms, .bundles,
            .finished, .studies:
            posting ? .ingest : .read
        }
    }
}
