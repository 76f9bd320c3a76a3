import SessionPorts
import StudyModel
import StudySession
import Testing

@testable import Platform
@testable import Signals

/// A link with BlueZ's answers written by hand.
struct Drive {
    var link: StrapLink
    var now = RunInstant.start
    var reports: [SourceReport] = []
    /// Calls that wait for their answer, by the method's name.
    var calls: [(member: String, call: BusCall)] = []
    var alarms: [(alarm: StrapLink.Alarm, at: RunInstant)] = []
    var failure: SourceFailure?

    static let adapter = "/org/bluez/hci0"
    static func device(_ number: Int = 1) -> String { "\(adapter)/dev_A0_9E_1A_00_00_0\(number)" }
    static func characteristic(_ number: Int = 1) -> String { device(number) + "/service1/char2" }

    init(_ strap: BluetoothStrap = .named("Fake"), signals: Set<Signal> = []) {
        link = StrapLink(strap, signals: signals)
        take(.begin)
    }

    mutating func take(_ input: StrapLink.Input) {
        for action in link.take(input, at: now) {
            switch action {
            case .call(let call): calls.append((call.member, call))
            case .report(let report): reports.append(report)
            case .wake(let alarm, let instant): alarms.append((alarm, instant))
            case .fail(let reason): failure = reason
            }
        }
    }

    /// Answers the oldest call of a name; the test fails if there is none.
    mutating func answer(_ member: String, _ values: [BusValue] = [], failing name: String? = nil) {
        guard let index = calls.firstIndex(where: { $0.member == member }) else {
            Issue.record("\(member) was not called; waiting: \(calls.map(\.member))")
            return
        }
        let number = calls.remove(at: index).call.number
        if let name {
            take(
                .bus(.failure(number, BusFailure(name: "org.bluez.Error." + name, words: "it says " + name))))
        } else {
            take(.bus(.answer(number, values)))
        }
    }

    mutating func change(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
        take(
            .bus(
                .signal(
                    path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                    [.text(interface), .map(properties), .list([])])))
    }

    mutating func packet(_ bytes: [UInt8]) {
        change(Self.characteristic(), "org.bluez.GattCharacteristic1", ["Value": .bytes(bytes)])
    }

    /// Moves on to the next alarm.
    mutating func ring(_ kind: StrapLink.Alarm.Kind) {
        guard let index = alarms.lastIndex(where: { $0.alarm.kind == kind }) else {
            Issue.record("no alarm \(kind)")
            return
        }
        let next = alarms.remove(at: index)
        now = max(now, next.at)
        take(.woke(next.alarm))
    }

    /// What the first strap is called.
    static let identity = SourceInformation(device: "Fake H10 1", identifier: "A0:9E:1A:00:00:01")

    static var battery: String { device() + "/battery" }

    /// What BlueZ lists: an adapter and straps.
    static func objects(
        straps: Int = 1, isPowered: Bool = true, isNear: Bool = true, isConnected: Bool = false,
        hasFacts: Bool = false
    ) -> [BusValue] {
        var objects: [String: BusValue] = [
            adapter: .map(["org.bluez.Adapter1": .map(["Powered": .boolean(isPowered)])])
        ]
        for number in 0..<straps {
            let path = device(number + 1)
            var properties: [String: BusValue] = [
                "Address": .text("A0:9E:1A:00:00:0\(number + 1)"), "Name": .text("Fake H10 \(number + 1)"),
                "UUIDs": .list([.text("0000180D-0000-1000-8000-00805f9b34fb")]),
                "Connected": .boolean(isConnected), "ServicesResolved": .boolean(isConnected),
            ]
            if isNear { properties["RSSI"] = .integer(-60) }
            objects[path] = .map(["org.bluez.Device1": .map(properties)])
            objects[characteristic(number + 1)] = .map([
                "org.bluez.GattCharacteristic1": .map([
                    "UUID": .text("00002a37-0000-1000-8000-00805f9b34fb")
                ])
            ])
        }
        if hasFacts {
            let facts = [
                (device() + "/location", "2a38"), (battery, "2a19"), (device() + "/model", "2a24"),
                (device() + "/firmware", "2a26"),
            ]
            for (path, identity) in facts {
                objects[path] = .map([
                    "org.bluez.GattCharacteristic1": .map([
                        "UUID": .text("0000\(identity)-0000-1000-8000-00805f9b34fb"),
                        "Flags": .list([.text("read")] + (path == battery ? [.text("notify")] : [])),
                    ])
                ])
            }
        }
        return [.map(objects)]
    }

    /// From the list to the first packet's eve.
    mutating func connect() {
        answer("GetManagedObjects", Self.objects())
        answer("Connect")
        change(Self.device(), "org.bluez.Device1", ["Connected": .boolean(true)])
        change(Self.device(), "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
        answer("StartNotify")
    }

    var samples: [HeartRateSample] {
        reports.compactMap(\.heart?.value)
    }

    var losses: [String] {
        reports.compactMap { if case .lost(let reason) = $0 { reason.description } else { nil } }
    }
}

@Suite struct StrapLinkTests {
    @Test func `connects, asks for notifications once services are known, and tells each packet`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects())
        #expect(drive.calls.map(\.member) == ["Connect"])
        drive.answer("Connect")
        #expect(drive.calls.isEmpty)
        drive.change(Drive.device(), "org.bluez.Device1", ["Connected": .boolean(true)])
        #expect(drive.calls.isEmpty)
        drive.change(Drive.device(), "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
        #expect(drive.calls.map(\.call.path) == [Drive.characteristic()])
        drive.answer("StartNotify")
        #expect(drive.reports == [.live, .told(Drive.identity)])
        drive.now = .seconds(1)
        drive.packet([0x16, 72, 0x54, 0x01, 0xec, 0x02])
        drive.now = .seconds(2)
        drive.packet([0x06, 72])
        drive.now = .seconds(3)
        drive.packet([0x06, 72])
        #expect(drive.samples.map(\.rate) == [72, 72, 72])
        #expect(drive.samples.map(\.rrIntervals) == [[340.0 / 1024, 748.0 / 1024], [], []])
        #expect(drive.samples.allSatisfy { $0.sensorContact == true })
        #expect(
            drive.samples[0].lastBeat == BeatTime(instant: .seconds(1), uncertainty: .seconds(1)))
    }

    @Test func `a strap without contact or pulse gives no rate, and says so`() {
        var drive = Drive()
        drive.connect()
        drive.packet([0x04, 70])
        drive.packet([0x06, 0])
        drive.packet([0x00, 70])
        #expect(drive.samples.map(\.rate) == [70, nil, 70])
        #expect(drive.samples.map(\.sensorContact) == [false, true, nil])
    }

    @Test func `what is no packet is passed over`() {
        var drive = Drive()
        drive.connect()
        drive.packet([])
        drive.packet([0x10])
        #expect(drive.samples == [])
        #expect(drive.reports == [.live, .told(Drive.identity)])
    }

    @Test func `discovers a strap that is not in reach yet, and stops before it connects`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects(isNear: false))
        #expect(drive.calls.map(\.member) == ["SetDiscoveryFilter", "StartDiscovery"])
        #expect(drive.losses == ["looking for the strap 'Fake'"])
        drive.answer("SetDiscoveryFilter")
        drive.answer("StartDiscovery")
        drive.change(Drive.device(), "org.bluez.Device1", ["RSSI": .integer(-70)])
        #expect(drive.calls.map(\.member) == ["StopDiscovery"])
        drive.answer("StopDiscovery", failing: "Failed")
        #expect(drive.calls.map(\.member) == ["Connect"])
    }

    @Test func `takes the only strap, once it is clear that it is the only one`() {
        var drive = Drive(.only)
        drive.answer("GetManagedObjects", Drive.objects())
        #expect(!drive.calls.contains { $0.member == "Connect" })
        drive.ring(.settled)
        #expect(drive.calls.last?.member == "StopDiscovery")
        drive.answer("StopDiscovery")
        #expect(drive.calls.last?.member == "Connect")
    }

    @Test func `takes no strap of several, and says how to name one`() throws {
        var drive = Drive(.only)
        drive.answer("GetManagedObjects", Drive.objects(straps: 2))
        drive.ring(.settled)
        #expect(!drive.calls.contains { $0.member == "Connect" })
        let words = try #require(drive.losses.last)
        #expect(words.contains("Fake H10 1 (A0:9E:1A:00:00:01)") && words.contains("bluetooth:ADDRESS"))
        var named = Drive(.at(address: "a0:9e:1a:00:00:02"))
        named.answer("GetManagedObjects", Drive.objects(straps: 2))
        #expect(named.calls.map(\.call.path) == [Drive.device(2)])
    }

    @Test func `a lost link is told at once and tried again four times a second`() {
        var drive = Drive(.only)
        drive.answer("GetManagedObjects", Drive.objects())
        drive.ring(.settled)
        drive.answer("StopDiscovery")
        drive.answer("Connect")
        drive.change(Drive.device(), "org.bluez.Device1", ["Connected": .boolean(true)])
        drive.change(Drive.device(), "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
        drive.answer("StartNotify")
        drive.now = .seconds(10)
        drive.packet([0x16, 60, 0, 4])
        drive.reports = []
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
        #expect(drive.reports == [.lost("the link to the strap was lost")])
        // The neighbour's strap comes into reach meanwhile; it is not ours.
        drive.take(
            .bus(
                .signal(
                    path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded",
                    [
                        .text(Drive.device(2)),
                        .map([
                            "org.bluez.Device1": .map([
                                "Address": .text("A0:9E:1A:00:00:02"), "Name": .text("Fake H10 2"),
                                "RSSI": .integer(-20),
                                "UUIDs": .list([.text("0000180d-0000-1000-8000-00805f9b34fb")]),
                            ])
                        ]),
                    ])))
        for attempt in 1...4 {
            drive.ring(.again)
            #expect(drive.now == .seconds(10 + 0.25 * Double(attempt)))
            #expect(drive.calls.last?.call.path == Drive.device())
            drive.answer("Connect", failing: "Failed")
        }
        drive.ring(.again)
        drive.answer("Connect")
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])
        drive.answer("StartNotify")
        #expect(drive.reports.last == .live)
        drive.now = .seconds(15)
        drive.packet([0x16, 60, 0, 4])
        // The beats of the gap are unknown: the clock is tied to this arrival anew.
        #expect(
            drive.samples.last?.lastBeat == BeatTime(instant: .seconds(15), uncertainty: .seconds(1)))
    }

    @Test func `a packet that overtakes the answer counts`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects(isConnected: true))
        drive.packet([0x06, 70])
        #expect(drive.reports.first == .live && drive.samples.count == 1)
        drive.answer("StartNotify")
        #expect(drive.reports.count == 3)
    }

    @Test func `what is still in progress is asked for again`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects())
        drive.answer("Connect", failing: "InProgress")
        #expect(drive.losses == ["the strap cannot be connected: 'it says InProgress'"])
        drive.ring(.again)
        #expect(drive.now == .seconds(0.5))
        drive.answer("Connect", failing: "AlreadyConnected")
        drive.change(Drive.device(), "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
        drive.answer("StartNotify", failing: "InProgress")
        drive.ring(.again)
        #expect(drive.now == .seconds(1.5))
        drive.answer("Connect")
        drive.answer("StartNotify")
        #expect(drive.reports.suffix(2) == [.live, .told(Drive.identity)])
    }

    @Test func `waits 0.5 s, then twice as long each time up to 8 s, and 0.5 s again after a packet`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects())
        var moments: [RunInstant] = []
        for _ in 0..<6 {
            drive.answer("Connect", failing: "Failed")
            drive.ring(.again)
            moments.append(drive.now)
        }
        #expect(moments == [0.5, 1.5, 3.5, 7.5, 15.5, 23.5].map(RunInstant.seconds))
        drive.answer("Connect")
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])
        drive.answer("StartNotify")
        drive.packet([0x06, 72])
        // A minute later it is no longer urgent.
        drive.now = .seconds(100)
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
        drive.ring(.again)
        #expect(drive.now == .seconds(100.5))
    }

    @Test func `says what is missing, and goes on when it comes`() {
        var none = Drive()
        none.answer("GetManagedObjects", [.map([:])])
        #expect(none.losses == [StrapLink.noAdapter])
        var off = Drive()
        off.answer("GetManagedObjects", Drive.objects(isPowered: false))
        #expect(off.losses == [StrapLink.noPower])
        off.change(Drive.adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)])
        #expect(off.calls.map(\.member) == ["Connect"])
        var absent = Drive()
        absent.answer("GetManagedObjects", failing: "ServiceUnknown")
        #expect(absent.losses.first?.hasPrefix("bluetoothd is not running") == true)
        absent.ring(.again)
        #expect(absent.calls.map(\.member) == ["GetManagedObjects"])
    }

    @Test func `follows BlueZ when it goes and comes`() {
        var drive = Drive()
        drive.connect()
        let owner = { (name: String) in
            StrapLink.Input.bus(
                .signal(
                    path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                    member: "NameOwnerChanged", [.text("org.bluez"), .text(":1.1"), .text(name)]))
        }
        drive.take(owner(""))
        #expect(drive.losses == ["bluetoothd was stopped"])
        drive.ring(.again)
        drive.take(
            .bus(
                .failure(
                    drive.calls.removeLast().call.number,
                    BusFailure(name: "org.freedesktop.DBus.Error.ServiceUnknown", words: "nobody"))))
        #expect(drive.losses.last?.hasPrefix("bluetoothd is not running: start it") == true)
        drive.take(owner(":1.9"))
        #expect(drive.calls.last?.member == "GetManagedObjects")
        drive.take(.bus(.closed("the bus is gone")))
        #expect(drive.failure == SourceFailure("the bus is gone"))
    }

    @Test func `a device without heart rate, or one that tells nothing, is given up for a while`() {
        var other = Drive()
        other.answer(
            "GetManagedObjects",
            [
                .map([
                    Drive.adapter: .map(["org.bluez.Adapter1": .map(["Powered": .boolean(true)])]),
                    Drive.device(): .map([
                        "org.bluez.Device1": .map([
                            "Name": .text("Fake scale"), "Connected": .boolean(true),
                            "ServicesResolved": .boolean(true),
                        ])
                    ]),
                ])
            ])
        #expect(other.losses == ["'Fake scale' is connected but offers no heart rate"])
        var mute = Drive()
        mute.answer("GetManagedObjects", Drive.objects())
        mute.answer("Connect")
        mute.ring(.unresolved)
        #expect(mute.calls.map(\.member) == ["Disconnect"])
        #expect(mute.losses == ["the strap does not say which services it offers"])
    }

    @Test func `lets go of a strap that it connected, and of none that was connected before`() {
        var drive = Drive()
        drive.connect()
        #expect(drive.link.leave().map(\.member) == ["StopNotify", "Disconnect"])
        var before = Drive()
        before.answer("GetManagedObjects", Drive.objects(isConnected: true))
        before.answer("StartNotify")
        #expect(before.link.leave().map(\.member) == ["StopNotify"])
    }
}
