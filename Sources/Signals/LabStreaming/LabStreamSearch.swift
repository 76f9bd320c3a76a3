import CLoaded
import StudyModel
import TextFormat

/// A stream of the Lab Streaming Layer, as it calls itself.
struct LabStream: Hashable, Sendable {
    var name: String
    var type: String
    /// Its `source_id`; empty if it has none.
    var source: String
    var host: String
    /// What no other stream shares, and the same stream only until it is made again.
    var instance: String
    /// Samples per second; 0 for an irregular stream.
    var rate = 0.0

    /// Whether it comes from the same device and program as another, perhaps made again.
    func isSame(as other: LabStream) -> Bool {
        guard type == other.type, source == other.source else { return false }
        return !source.isEmpty || (name == other.name && host == other.host)
    }

    var words: String { "\(quoted(name)) (source_id \(quoted(source)), host \(quoted(host)))" }

    /// What bundles say of it.
    var information: SourceInformation {
        var information = SourceInformation(
            device: name, identifier: source.isEmpty ? nil : source, host: host.isEmpty ? nil : host)
        information.nominalRate = rate > 0 ? rate : nil
        return information
    }
}

extension LabStreamChoice {
    func matches(_ found: LabStream) -> Bool {
        if let stream, found.name != stream, found.source != stream { return false }
        if let sourceIdentifier, found.source != sourceIdentifier { return false }
        return host.map { $0.lowercased() == found.host.lowercased() } ?? true
    }
}

/// Looks for the stream that is meant, and after a loss for the same one.
struct LabStreamSearch {
    let choice: LabStreamChoice
    /// The types of such streams; of several, each will do.
    let types: [String]
    /// Whether a stream of that name may have any type.
    var anyTypeIfNamed = false
    /// The stream that was taken first; no other takes its place.
    var taken: LabStream?

    /// For how long streams are looked for, s. If there is one alone, it is looked for others again before it is opened,
    /// because a busy machine answers late.
    static let (first, second) = (1.0, 0.6)
    private static let room = 64

    init(_ choice: LabStreamChoice, types: [String], anyTypeIfNamed: Bool = false) {
        (self.choice, self.types, self.anyTypeIfNamed) = (choice, types, anyTypeIfNamed)
    }

    enum Verdict: Hashable, Sendable {
        case one(LabStream)
        case none(because: String)
    }

    /// Which of the streams that were found is to be taken.
    func verdict(on found: [LabStream]) -> Verdict {
        let wanted = found.filter(choice.matches)
        let same = taken.map { taken in wanted.filter(taken.isSame) } ?? wanted
        if let only = same.first, same.count == 1 { return .one(only) }
        let all = (same.isEmpty ? wanted : same).map(\.words).sorted().joined(separator: ", ")
        if same.count > 1 {
            return .none(
                because:
                    "there are several such streams of type \(types[0]) in the network: \(all); say more about "
                    + "one, as in lsl:NAME, lsl:SOURCE_ID or lsl:NAME@HOST, or end the others")
        }
        if let taken, !wanted.isEmpty {
            return .none(because: "\(all) is there instead of \(taken.words), which is waited for")
        }
        return .none(because: "looking for \(choice.words ?? "a stream of type \(types[0])") in the network")
    }

    /// Listens to the stream if it is there; it takes 1 to 2 s.
    mutating func open(_ tell: (LabStreamReader.Event) -> Void) -> (inlet: OpaquePointer, stream: LabStream)?
    {
        unsafe Self.look(predicate, Self.first) { found in
            guard case .one = verdict(on: found.streams) else {
                return unsafe tellProblem(of: found.streams, tell)
            }
            return unsafe Self.look(predicate, Self.second) { later in
                let known = Set(later.streams.map(\.instance))
                let earlier = found.streams.filter { !known.contains($0.instance) }
                guard case .one(let stream) = verdict(on: later.streams + earlier) else {
                    return unsafe tellProblem(of: later.streams + earlier, tell)
                }
                guard let inlet = unsafe later.open(stream) ?? found.open(stream) else { return nil }
                taken = taken ?? stream
                return unsafe (inlet, stream)
            }
        }
    }

    private func tellProblem(
        of found: [LabStream], _ tell: (LabStreamReader.Event) -> Void
    ) -> (inlet: OpaquePointer, stream: LabStream)? {
        if case .none(let reason) = verdict(on: found) { tell(.problem(reason)) }
        return nil
    }

    private var predicate: String {
        if anyTypeIfNamed, let name = choice.stream {
            return "name=\(Self.literal(name)) or source_id=\(Self.literal(name))"
        }
        if anyTypeIfNamed, let source = choice.sourceIdentifier { return "source_id=\(Self.literal(source))" }
        return types.map { "type=\(Self.literal($0))" }.joined(separator: " or ")
    }

    /// Whether a stream still answers.
    static func isThere(_ stream: LabStream) -> Bool {
        look("uid=\(literal(stream.instance))", first) { !$0.streams.isEmpty }
    }

    /// The stream of intervals of the same device as a heart rate: that of its host with its `source_id`; `RR x` beside
    /// `HR x`; or the only one of the host, if there is no other heart on it.
    static func intervals(beside rates: LabStream) -> (inlet: OpaquePointer, stream: LabStream)? {
        unsafe look("type='RR' or type='HR'", second) { found in
            guard let stream = partner(of: rates, among: found.streams), let inlet = unsafe found.open(stream)
            else { return nil }
            return unsafe (inlet, stream)
        }
    }

    static func partner(of rates: LabStream, among found: [LabStream]) -> LabStream? {
        let near = found.filter { $0.host == rates.host }
        let beats = near.filter { $0.type == "RR" }
        let named = rates.name.hasPrefix("HR ") ? "RR" + rates.name.dropFirst(2) : nil
        let certain = beats.filter {
            $0.name == named || (!rates.source.isEmpty && $0.source == rates.source)
        }
        if !certain.isEmpty || named != nil { return certain.count == 1 ? certain[0] : nil }
        let hasOthers = near.contains { $0.type == "HR" && $0.instance != rates.instance }
        return beats.count == 1 && !hasOthers ? beats[0] : nil
    }

    /// Streams that were found, and what opens them.
    @safe struct Found {
        var streams: [LabStream] = []
        fileprivate var handles: [UnsafeMutableRawPointer] = unsafe []

        fileprivate func open(_ stream: LabStream) -> OpaquePointer? {
            unsafe streams.firstIndex { $0.instance == stream.instance }.flatMap {
                unsafe entrain_lsl_open(handles[$0])
            }
        }
    }

    private static func look<Result>(_ predicate: String, _ seconds: Double, _ use: (Found) -> Result)
        -> Result
    {
        var buffer = unsafe [entrain_stream](repeating: unsafe entrain_stream(), count: room)
        let count = unsafe Int(entrain_lsl_look(predicate, seconds, &buffer, Int32(room)))
        var found = Found()
        for index in 0..<count {
            let stream = unsafe buffer[index]
            guard let handle = unsafe stream.info else { continue }
            unsafe found.handles.append(handle)
            found.streams.append(
                unsafe LabStream(
                    name: LabStreamReader.text(stream.name), type: LabStreamReader.text(stream.type),
                    source: LabStreamReader.text(stream.source), host: LabStreamReader.text(stream.host),
                    instance: LabStreamReader.text(stream.instance), rate: stream.rate))
        }
        defer {
            for index in found.streams.indices { unsafe entrain_lsl_forget(found.handles[index]) }
        }
        return use(found)
    }

    /// A text in XPath, which has no escapes.
    private static func literal(_ text: String) -> String {
        let quote = text.contains("'") ? "\"" : "'"
        return quote + text.filter { String($0) != quote } + quote
    }
}
