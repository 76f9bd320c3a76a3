import Physiology
import SessionPorts
import StudyModel

/// The connection to a strap and its notifications, as a value: events in, actions out.
///
/// It looks at what BlueZ knows, discovers until the wanted strap is within reach, stops discovering, connects,
/// waits until the services are known, starts the notifications, and then watches them. Anything that goes wrong is
/// reported and tried again: four times a second within a minute of the last packet, so that a lost link costs as
/// little as possible, and otherwise after a pause that grows to 8 s.
struct StrapLink {
    enum Input: Hashable, Sendable {
        case begin
        case bus(BusMessage)
        case woke(Alarm)
    }

    enum Action: Hashable, Sendable {
        case call(BusCall)
        case wake(Alarm, at: RunInstant)
        case report(SourceReport)
        /// There will never be data.
        case fail(SourceFailure)
    }

    /// Something to wait for. Only the newest alarm of its kind counts.
    struct Alarm: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// All straps within reach have been heard.
            case settled
            /// It is time to try again.
            case again
            /// The strap should have reported its services by now.
            case unresolved
            /// It is time to check whether notifications still come.
            case silence
            /// A request for waveforms should have been answered by now.
            case unanswered
        }
        var kind: Kind
        var number: Int
    }

    enum Phase: Hashable, Sendable {
        case listing
        case looking
        case waiting
        case connecting(String)
        case resolving(String)
        case subscribing(String, characteristic: String)
        case listening(String, characteristic: String)

        /// The device that the purpose is about.
        var device: String? {
            switch self {
            case .listing, .looking, .waiting: nil
            case .connecting(let device), .resolving(let device), .subscribing(let device, _),
                .listening(let device, _):
                device
            }
        }
    }

    enum Purpose: Hashable, Sendable {
        case list, filter, discover, silence, connect, subscribe, location, battery, aside
        case manufacturer, model, firmware
    }

    static let settling = Duration.seconds(2)
    static let resolvingLimit = Duration.seconds(15)
    /// If there is no packet for this long, the gap is reported.
    static let silence = Duration.seconds(3)
    /// If there is no packet for this long, the link only seems to exist, and is made again.
    static let deadSilence = Duration.seconds(8)
    static let shortestPause = Duration.milliseconds(500)
    static let urgentPause = Duration.milliseconds(250)
    static let urgentTime = Duration.seconds(60)
    static let longestPause = Duration.seconds(8)

    var wanted: BluetoothStrap
    var objects = BlueZObjects()
    var phase = Phase.listing
    var isDiscovering = false
    var hasSettled = false
    /// Whether the connection is ours to end.
    var hasConnected = false
    var pause = Self.shortestPause
    private var purposes: [Int64: Purpose] = [:]
    private var callCount: Int64 = 0
    private var alarms: [Alarm.Kind: Int] = [:]
    var notifications = StrapNotifications()
    var measuring: StrapMeasuring
    /// What the strap said about itself.
    var information = SourceInformation()
    /// What was reported last: that the strap is live, or why not.
    private var said: SourceReport?

    /// - Parameter signals: what recorders want.
    init(_ wanted: BluetoothStrap, signals: Set<Signal> = []) {
        self.wanted = wanted
        measuring = StrapMeasuring(signals)
    }

    mutating func take(_ input: Input, at now: RunInstant) -> [Action] {
        switch input {
        case .begin: return list()
        case .woke(let alarm):
            guard alarms[alarm.kind] == alarm.number else { return [] }
            return ring(alarm.kind, at: now)
        case .bus(.closed(let reason)): return [.fail(SourceFailure(reason))]
        case .bus(.answer(let number, let values)):
            guard let purpose = purposes.removeValue(forKey: number) else { return [] }
            return answered(purpose, values, at: now)
        case .bus(.failure(let number, let failure)):
            guard let purpose = purposes.removeValue(forKey: number) else { return [] }
            return failed(purpose, failure, at: now)
        case .bus(.signal(let path, let interface, let member, let values)):
            return heard(path, interface, member, values, at: now)
        }
    }

    /// The calls to make before leaving. A strap that we connected is disconnected.
    mutating func leave() -> [BusCall] {
        var calls: [Action] = []
        if case .listening(let device, let characteristic) = phase {
            calls += endMeasuring(device)
            calls.append(call(.aside, characteristic, BlueZObjects.Name.characteristic, "StopNotify"))
        }
        if hasConnected, let device = phase.device {
            calls.append(call(.aside, device, BlueZObjects.Name.device, "Disconnect"))
        }
        calls += silence(.aside)
        return calls.compactMap { if case .call(let call) = $0 { call } else { nil } }
    }

    mutating func list() -> [Action] {
        phase = .listing
        purposes = [:]
        (isDiscovering, hasSettled, hasConnected) = (false, false, false)
        return [call(.list, "/", BlueZObjects.Name.objects, "GetManagedObjects")]
    }

    /// Reports that there is no signal, unless that was already reported.
    mutating func lose(_ reason: String) -> [Action] {
        guard said != .lost(SourceProblem(reason)) else { return [] }
        said = .lost(SourceProblem(reason))
        return [.report(.lost(SourceProblem(reason)))]
    }

    mutating func revive() -> [Action] {
        guard said != .live else { return [] }
        said = .live
        return [.report(.live)]
    }

    mutating func call(
        _ purpose: Purpose, _ path: String, _ interface: String, _ member: String,
        _ argument: BusCall.Argument = .none, limit: Duration = .seconds(10)
    ) -> Action {
        callCount += 1
        purposes[callCount] = purpose
        return .call(
            BusCall(
                number: callCount, path: path, interface: interface, member: member, argument: argument,
                limit: limit))
    }

    mutating func wake(_ kind: Alarm.Kind, at instant: RunInstant) -> Action {
        let number = (alarms[kind] ?? 0) + 1
        alarms[kind] = number
        return .wake(Alarm(kind: kind, number: number), at: instant)
    }

    /// Ends discovery, if it was begun.
    mutating func silence(_ purpose: Purpose) -> [Action] {
        guard isDiscovering, let adapter = objects.adapters.first(where: \.isPowered) else { return [] }
        isDiscovering = false
        return [call(purpose, adapter.path, BlueZObjects.Name.adapter, "StopDiscovery")]
    }

    /// Tries again a little later.
    mutating func retry(_ reason: String, at now: RunInstant) -> [Action] {
        phase = .waiting
        let words = lose(reason)
        if let word = notifications.lastWord, word.duration(to: now) < Self.urgentTime {
            return words + [wake(.again, at: now.advanced(by: Self.urgentPause))]
        }
        defer { pause = min(pause * 2, Self.longestPause) }
        return words + [wake(.again, at: now.advanced(by: pause))]
    }
}
