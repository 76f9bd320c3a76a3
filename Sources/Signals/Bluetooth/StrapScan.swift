import Physiology
package import StudyModel
import Synchronization

/// A strap within reach.
package struct FoundStrap: Hashable, Sendable {
    package var name: String
    /// Such as `A0:9E:1A:2B:3C:4D`.
    package var address: String
    /// Signal strength, dBm; `nil` if it was already connected.
    package var signal: Int?
    /// Charge, percent; `nil` if it does not say.
    package var battery: Int?
    /// Where it is worn, such as `chest`; `nil` if it does not say.
    package var location: String?
}

/// Looks for straps within reach.
package struct StrapScan: Sendable {
    private typealias Name = BlueZObjects.Name

    private let bus: BusClient

    /// - Throws: `SourceFailure` if there is no bus, or no library for it.
    package init(bus address: String? = nil) throws(SourceFailure) { bus = try BusClient(address) }

    /// Why there is no adapter that is switched on; `nil` if there is one.
    package func adapterProblem() async -> String? {
        defer { bus.stop() }
        do throws(SourceFailure) {
            _ = try await adapter()
            return nil
        } catch {
            return error.description
        }
    }

    /// Listens for a time, then connects to each strap for a moment and asks for its battery.
    ///
    /// - Parameter asksThem: whether straps are connected to; without that, only what they advertise is known.
    /// - Returns: the straps, strongest first.
    /// - Throws: `SourceFailure` if Bluetooth cannot be used.
    package func straps(
        listening time: Duration, asksThem: Bool = true
    ) async throws(SourceFailure) -> [FoundStrap] {
        defer { bus.stop() }
        let adapter = try await adapter()
        _ = await bus.ask(
            adapter, Name.adapter, "SetDiscoveryFilter",
            .discovery(service: BlueZObjects.Identity.heartRateService))
        if case .failure(let failure) = await bus.ask(adapter, Name.adapter, "StartDiscovery"),
            !failure.name.hasSuffix(".InProgress")
        {
            throw SourceFailure("the adapter cannot look for straps: \(failure.said)")
        }
        do { try await ContinuousClock().sleep(for: time) } catch { throw SourceFailure("interrupted") }
        let near = bus.objects.devices.filter { $0.isStrap && $0.isInReach }
        _ = await bus.ask(adapter, Name.adapter, "StopDiscovery")
        var found: [FoundStrap] = []
        for device in near {
            let seen = FoundStrap(
                name: device.name, address: device.address, signal: device.signal, battery: device.battery)
            found.append(asksThem ? await look(at: device, seen) : seen)
        }
        return found.sorted { (-($0.signal ?? 0), $0.address) < (-($1.signal ?? 0), $1.address) }
    }

    /// Ends the waveforms that a killed program left on: those of connected straps to which nobody listens. A strap
    /// would send them until its battery is empty.
    ///
    /// - Returns: the names of the straps that ended them.
    /// - Throws: `SourceFailure` if Bluetooth cannot be used.
    package func endMeasurements() async throws(SourceFailure) -> [String] {
        defer { bus.stop() }
        _ = try await adapter()
        var names: [String] = []
        for device in bus.objects.devices where device.isConnected {
            let characteristics = [PolarMeasurement.data, BlueZObjects.Identity.heartRateMeasurement]
                .compactMap { bus.objects.characteristic($0, of: device.path) }
            guard let control = bus.objects.characteristic(PolarMeasurement.controlPoint, of: device.path),
                !characteristics.contains(where: bus.objects.isNotifying)
            else { continue }
            var hasEnded = true
            for kind in PolarMeasurement.Kind.allCases {
                let request = PolarMeasurement.stopRequest(of: kind)
                let answer = await bus.ask(control, Name.characteristic, "WriteValue", .bytes(request))
                if case .failure = answer { hasEnded = false }
            }
            if hasEnded { names.append(device.name) }
        }
        return names
    }

    private func adapter() async throws(SourceFailure) -> String {
        switch await bus.ask("/", Name.objects, "GetManagedObjects") {
        case .failure(let failure): throw SourceFailure(failure.whyNotListed)
        case .success(let values): bus.set(BlueZObjects(managed: values))
        }
        let adapters = bus.objects.adapters
        guard let adapter = adapters.first(where: \.isPowered) else {
            throw SourceFailure(adapters.isEmpty ? StrapLink.noAdapter : StrapLink.noPower)
        }
        return adapter.path
    }

    /// Asks a strap for what only a connection reveals. What fails stays unknown.
    private func look(at device: BlueZObjects.Device, _ seen: FoundStrap) async -> FoundStrap {
        var strap = seen
        if !device.isConnected {
            guard case .success = await bus.ask(device.path, Name.device, "Connect", limit: .seconds(10))
            else {
                return strap
            }
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(5))
        while bus.objects.device(at: device.path)?.isResolved != true, ContinuousClock.now < deadline {
            do { try await ContinuousClock().sleep(for: .milliseconds(50)) } catch { break }
        }
        let level = await value(BlueZObjects.Identity.batteryLevel, of: device.path)
        strap.battery = bus.objects.device(at: device.path)?.battery ?? level.map(Int.init)
        strap.location = await value(BlueZObjects.Identity.bodySensorLocation, of: device.path)
            .flatMap(BodySensorLocation.init(rawValue:))?.name
        if !device.isConnected { _ = await bus.ask(device.path, Name.device, "Disconnect") }
        return strap
    }

    private func value(_ identity: String, of device: String) async -> UInt8? {
        guard let path = bus.objects.characteristic(identity, of: device),
            case .success(let values) = await bus.ask(path, Name.characteristic, "ReadValue", .noOptions)
        else { return nil }
        return values.first?.bytes?.first
    }
}

/// Questions to BlueZ, one after the other, and what it tells by itself meanwhile.
private final class BusClient: Sendable {
    private struct State {
        var objects = BlueZObjects()
        var count: Int64 = 0
        var waiting: [Int64: CheckedContinuation<Result<[BusValue], BusFailure>, Never>] = [:]
        var isClosed = false
    }

    private let state: BusListener
    private let connection: BusConnection

    /// What hears the bus; made before the connection.
    private final class BusListener: Sendable {
        let state = Mutex(State())

        func take(_ message: BusMessage) {
            switch message {
            case .answer(let number, let values): answer(number, .success(values))
            case .failure(let number, let failure): answer(number, .failure(failure))
            case .signal(let path, let interface, let member, let values):
                state.withLock { $0.objects.take(path: path, interface: interface, member: member, values) }
            case .closed(let reason):
                let waiting = state.withLock { state in
                    state.isClosed = true
                    return Array(state.waiting.keys)
                }
                for number in waiting { answer(number, .failure(BusFailure(name: "", words: reason))) }
            }
        }

        private func answer(_ number: Int64, _ result: Result<[BusValue], BusFailure>) {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: result)
        }
    }

    init(_ address: String?) throws(SourceFailure) {
        let listener = BusListener()
        state = listener
        connection = try BusConnection(address: address, destination: BlueZObjects.Name.program) {
            listener.take($0)
        }
    }

    var objects: BlueZObjects { state.state.withLock { $0.objects } }

    func set(_ objects: BlueZObjects) { state.state.withLock { $0.objects = objects } }

    func stop() { connection.stop() }

    /// Calls a method. Every call is answered, at the latest by its timeout.
    func ask(
        _ path: String, _ interface: String, _ member: String, _ argument: BusCall.Argument = .none,
        limit: Duration = .seconds(5)
    ) async -> Result<[BusValue], BusFailure> {
        await withCheckedContinuation { answer in
            let number: Int64? = state.state.withLock { state in
                guard !state.isClosed else { return nil }
                state.count += 1
                state.waiting[state.count] = answer
                return state.count
            }
            guard let number else {
                answer.resume(returning: .failure(BusFailure(name: "", words: "the bus is gone")))
                return
            }
            connection.call(
                BusCall(
                    number: number, path: path, interface: interface, member: member, argument: argument,
                    limit: limit))
        }
    }
}
