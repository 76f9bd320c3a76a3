import Physiology
import SessionPorts
import StudyModel
import Testing

@testable import Signals

/// Times between peaks of an armband, by its measurement service.
@Suite struct ArmbandTests {
    private static let control = Drive.device() + "/service3/char8"
    private static let data = Drive.device() + "/service3/char10"

    /// A connected armband after so many packets with a rate alone.
    private func armband(signals: Set<Signal> = [.heartRate, .rrIntervals], packets: Int) -> Drive {
        var drive = Drive(signals: signals)
        drive.connect()
        for (path, identity) in [
            (Self.control, PolarMeasurement.controlPoint), (Self.data, PolarMeasurement.data),
        ] {
            drive.take(
                .bus(
                    .signal(
                        path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                        member: "InterfacesAdded",
                        [
                            .text(path),
                            .map(["org.bluez.GattCharacteristic1": .map(["UUID": .text(identity)])]),
                        ])))
        }
        for _ in 0..<packets { drive.packet([0x06, 60]) }
        return drive
    }

    /// Six bytes: the rate, milliseconds, their doubt, flags.
    private static func peak(_ milliseconds: Int, flags: UInt8 = 6) -> [UInt8] {
        [60, UInt8(milliseconds & 0xFF), UInt8(milliseconds >> 8), 10, 0, flags]
    }

    private func send(_ peaks: [[UInt8]], to drive: inout Drive) {
        drive.change(
            Self.data, "org.bluez.GattCharacteristic1",
            ["Value": .bytes([3] + [UInt8](repeating: 0, count: 9) + peaks.flatMap(\.self))])
    }

    private func writes(of drive: Drive) -> [[UInt8]] {
        drive.calls.compactMap { if case .bytes(let bytes) = $0.call.argument { bytes } else { nil } }
    }

    @Test func `are asked for only where they are wanted and packets have no intervals`() {
        #expect(writes(of: armband(packets: 9)) == [])
        #expect(writes(of: armband(packets: 12)) == [[2, 3]])
        #expect(writes(of: armband(signals: [.heartRate], packets: 12)) == [])
        var strap = Drive(signals: [.heartRate, .rrIntervals])
        strap.connect()
        strap.packet([0x16, 60, 0, 4])
        for _ in 0..<12 { strap.packet([0x06, 60]) }
        #expect(writes(of: strap) == [] && !strap.link.notifications.lacksIntervals)
    }

    @Test func `what motion blocked or no skin was under is a gap, and counted`() throws {
        var drive = armband(packets: 10)
        let rates = drive.samples.count
        drive.now = .seconds(30)
        send([Self.peak(800), Self.peak(810), Self.peak(500, flags: 7), Self.peak(820)], to: &drive)
        drive.now = .seconds(32)
        send([Self.peak(830), Self.peak(840, flags: 4), Self.peak(0)], to: &drive)
        let samples = drive.samples.dropFirst(rates)
        #expect(samples.map(\.rrIntervals) == [[0.8, 0.81], [0.82], [0.83]])
        #expect(samples.allSatisfy { $0.rate == nil })
        let beats = samples.compactMap { $0.lastBeat?.instant.offset.seconds }
        #expect(beats.count == 3 && abs(beats[1] - 30) < 1e-6 && abs(beats[0] - 28.68) < 1e-6)
        // Later than the interval before it explains.
        #expect(beats[1] - beats[0] > 0.82 + 0.4)
        #expect(
            drive.link.remarks == [
                "the armband's own times between peaks: 7, of which blocked by motion or without skin contact, "
                    + "and left out: 3"
            ])
    }

    @Test func `a refusal is told, an agreement is ended at the end, and torn frames are no beats`() {
        var refusing = armband(packets: 10)
        let answer = { (status: UInt8, drive: inout Drive) in
            drive.change(
                Self.control, "org.bluez.GattCharacteristic1", ["Value": .bytes([0xF0, 2, 3, status, 0])])
        }
        answer(3, &refusing)
        #expect(refusing.link.remarks == ["the strap does not send: time between beats"])
        var willing = armband(packets: 10)
        answer(0, &willing)
        let count = willing.samples.count
        for length in [4, 5, 7] { send([[UInt8](repeating: 1, count: length)], to: &willing) }
        #expect(willing.samples.count == count)
        #expect(willing.link.leave().contains { $0.argument == .bytes([3, 3]) })
    }
}
