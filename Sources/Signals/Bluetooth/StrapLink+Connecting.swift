import Recordings
import StudyModel
import TextFormat

extension StrapLink {
    private typealias Name = BlueZObjects.Name

    static let noAdapter = "this machine has no Bluetooth adapter: plug one in, and see 'bluetoothctl list'"
    static let noPower = "the Bluetooth adapter is switched off: run 'bluetoothctl power on'"

    /// Does the next thing, as far as it is known by now.
    mutating func proceed(at now: RunInstant) -> [Action] {
        guard let adapter = objects.adapters.first(where: \.isPowered) else {
            phase = .looking
            isDiscovering = false
            return lose(
                objects.adapters.isEmpty ? Self.noAdapter : Self.noPower)
        }
        switch choose() {
        case .success(let device?): return stopDiscovery(then: device, at: now)
        case .success(nil): return discover(with: adapter, at: now)
        case .failure(let problem): return discover(with: adapter, at: now, saying: problem.description)
        }
    }

    /// The strap to connect to; `nil` if it is not within reach so far.
    private func choose() -> Result<BlueZObjects.Device?, SourceFailure> {
        let known = objects.devices.filter { wanted.matches($0) }
        let near = known.filter(\.isInReach)
        if near.count == 1, wanted != .only || hasSettled { return .success(near[0]) }
        if near.count > 1 {
            let exact = near.filter { .named($0.name) == wanted }
            if exact.count == 1 { return .success(exact[0]) }
            guard hasSettled else { return .success(nil) }
            let names = near.map { "\(printed($0.name)) (\($0.address))" }.joined(separator: ", ")
            return .failure(
                SourceFailure(
                    "several straps are in reach: \(names). Choose one: --source heartRate=bluetooth:ADDRESS")
            )
        }
        return .success(hasSettled && near.isEmpty && known.count == 1 ? known[0] : nil)
    }

    private func printed(_ name: String) -> String { String(quoted(name).dropFirst().dropLast()) }

    private mutating func discover(
        with adapter: BlueZObjects.Adapter, at now: RunInstant, saying problem: String? = nil
    ) -> [Action] {
        phase = .looking
        let words = lose(problem ?? "looking for \(wanted.words)")
        guard !isDiscovering else { return words }
        isDiscovering = true
        return words + [
            call(
                .filter, adapter.path, Name.adapter, "SetDiscoveryFilter",
                .discovery(service: BlueZObjects.Identity.heartRateService)),
            call(.discover, adapter.path, Name.adapter, "StartDiscovery"),
            wake(.settled, at: now.advanced(by: Self.settling)),
        ]
    }

    private mutating func stopDiscovery(then device: BlueZObjects.Device, at now: RunInstant) -> [Action] {
        phase = .connecting(device.path)
        let stop = silence(.silence)
        return stop.isEmpty ? connect(device, at: now) : stop
    }

    private mutating func connect(_ device: BlueZObjects.Device, at now: RunInstant) -> [Action] {
        guard !device.isConnected else { return resolve(device.path, at: now) }
        hasConnected = true
        return [call(.connect, device.path, Name.device, "Connect", limit: .seconds(40))]
    }

    private mutating func resolve(_ device: String, at now: RunInstant) -> [Action] {
        phase = .resolving(device)
        return [wake(.unresolved, at: now.advanced(by: Self.resolvingLimit))] + subscribe(to: device, at: now)
    }

    /// Starts the notifications once the services are known.
    private mutating func subscribe(to path: String, at now: RunInstant) -> [Action] {
        guard let device = objects.device(at: path), device.isResolved else { return [] }
        guard
            let characteristic = objects.characteristic(
                BlueZObjects.Identity.heartRateMeasurement, of: path)
        else {
            pause = Self.longestPause
            return retry("\(quoted(device.name)) is connected but offers no heart rate", at: now)
        }
        phase = .subscribing(path, characteristic: characteristic)
        return [call(.subscribe, characteristic, Name.characteristic, "StartNotify")]
    }

    mutating func answered(_ purpose: Purpose, _ values: [BusValue], at now: RunInstant) -> [Action] {
        switch (purpose, phase) {
        case (.list, .listing):
            objects = BlueZObjects(managed: values)
            return proceed(at: now)
        case (.silence, .connecting(let path)):
            guard let device = objects.device(at: path) else { return proceed(at: now) }
            return connect(device, at: now)
        case (.connect, .connecting(let path)): return resolve(path, at: now)
        case (.subscribe, .subscribing(let device, let characteristic)):
            return listen(to: device, characteristic, at: now)
        case (.location, .listening): return take(location: values.first?.bytes)
        case (.battery, .listening): return take(battery: values.first?.bytes)
        case (.manufacturer, .listening): return take(values, as: \.manufacturer)
        case (.model, .listening): return take(values, as: \.model)
        case (.firmware, .listening): return take(values, as: \.firmware)
        case (_, _): return []
        }
    }

    mutating func failed(_ purpose: Purpose, _ failure: BusFailure, at now: RunInstant) -> [Action] {
        let kind = failure.name.split(separator: ".").last.map(String.init) ?? ""
        switch (purpose, phase) {
        case (.list, .listing):
            return retry(failure.whyNotListed, at: now)
        case (.discover, .looking):
            // Another program's discovery serves us as well.
            guard kind != "InProgress" else { return [] }
            isDiscovering = false
            return retry("the adapter cannot look for straps: \(failure.said)", at: now)
        case (.silence, .connecting(let path)):
            guard let device = objects.device(at: path) else { return proceed(at: now) }
            return connect(device, at: now)
        case (.connect, .connecting(let path)):
            if kind == "AlreadyConnected" { return resolve(path, at: now) }
            return retry("the strap cannot be connected: \(failure.said)", at: now)
        case (.subscribe, .subscribing(let device, let characteristic)):
            // Another program listens to the same strap, or our own last request is still being processed.
            if kind == "InProgress", objects.isNotifying(characteristic) {
                return listen(to: device, characteristic, at: now)
            }
            return retry("the strap does not start to send: \(failure.said)", at: now)
        case (_, _): return []
        }
    }

    /// Takes changes of BlueZ's objects.
    mutating func heard(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue], at now: RunInstant
    ) -> [Action] {
        if member == "NameOwnerChanged" {
            guard values.last?.text == "" else { return list() }
            notifications.interrupt()
            // Nothing that BlueZ reported before is valid any more.
            objects = BlueZObjects()
            return retry("bluetoothd was stopped", at: now)
        }
        objects.take(path: path, interface: interface, member: member, values)
        switch phase {
        case .listing: return []
        case .looking: return proceed(at: now)
        case .waiting:
            // The strap is back before it was time to look for it.
            guard let device = objects.device(at: path), wanted.matches(device),
                device.isConnected || isAdvertising(member, values)
            else { return [] }
            return proceed(at: now)
        case .connecting(let device):
            guard objects.device(at: device) == nil else { return [] }
            return proceed(at: now)
        case .resolving(let device), .subscribing(let device, _), .listening(let device, _):
            if objects.device(at: device) == nil || path == device && Self.isEnd(member, values) {
                return lostLink(at: now)
            }
            if case .resolving = phase { return subscribe(to: device, at: now) }
            guard let value = objects.notified(path, interface, member, values) else {
                return path == device ? takeBattery(of: device) : []
            }
            return take(value, from: path, of: device, at: now)
        }
    }

    private func isAdvertising(_ member: String, _ values: [BusValue]) -> Bool {
        member == "PropertiesChanged" && values.count >= 2 && values[1].map?["RSSI"] != nil
    }

    /// Whether a device reports that it is no longer connected.
    private static func isEnd(_ member: String, _ values: [BusValue]) -> Bool {
        member == "PropertiesChanged" && values.count >= 2
            && values[1].map?["Connected"]?.boolean == false
    }

    private mutating func lostLink(at now: RunInstant) -> [Action] {
        notifications.interrupt()
        pause = Self.shortestPause
        return retry("the link to the strap was lost", at: now)
    }

    mutating func ring(_ kind: Alarm.Kind, at now: RunInstant) -> [Action] {
        switch (kind, phase) {
        case (.settled, .looking):
            hasSettled = true
            return proceed(at: now) + [wake(.settled, at: now.advanced(by: Self.settling))]
        case (.again, .waiting): return objects.isEmpty ? list() : proceed(at: now)
        case (.unresolved, .resolving(let device)):
            return [call(.aside, device, Name.device, "Disconnect")]
                + retry("the strap does not say which services it offers", at: now)
        case (.silence, .listening(let device, let characteristic)):
            return watch(device, characteristic, at: now)
        case (.unanswered, .listening(let device, _)):
            return measuring.isComplete ? [] : askOn(device, at: now)
        case (.settled, _), (.again, _), (.unresolved, _), (.silence, _), (.unanswered, _): return []
        }
    }
}

extension BusFailure {
    /// The other program's words, or else the name of the failure.
    var said: String { words.isEmpty ? name : quoted(words) }

    /// Why BlueZ does not list its objects.
    var whyNotListed: String {
        let isAbsent = ["ServiceUnknown", "NameHasNoOwner"].contains { name.hasSuffix("." + $0) }
        return isAbsent
            ? "bluetoothd is not running: start it with 'systemctl start bluetooth' (Debian's package bluez)"
            : "BlueZ does not answer: \(said)"
    }
}
