import SessionPorts
import StudyModel
import Testing

@testable import Platform
@testable import Signals

@Suite struct StrapFactsTests {
    @Test func `tells where the strap is worn, and its battery as it falls`() {
        var drive = Drive()
        drive.answer("GetManagedObjects", Drive.objects(isConnected: true, hasFacts: true))
        drive.answer("StartNotify")
        #expect(drive.calls.map(\.call.argument) == [.noOptions, .noOptions, .none])
        drive.answer("ReadValue", [.bytes([1])])
        drive.answer("ReadValue", [.bytes([15])])
        drive.answer("StartNotify")
        let level = { (byte: UInt8) in
            drive.change(Drive.battery, "org.bluez.GattCharacteristic1", ["Value": .bytes([byte])])
        }
        for byte: UInt8 in [15, 14, 255] { level(byte) }
        drive.change(Drive.device(), "org.bluez.Battery1", ["Percentage": .integer(9)])
        #expect(
            drive.reports == [
                .live, .told(SourceInformation(sensorLocation: "chest")),
                .told(SourceInformation(sensorLocation: "chest", battery: 15)),
                .told(SourceInformation(sensorLocation: "chest", battery: 14)),
                .told(SourceInformation(sensorLocation: "chest", battery: 9)),
            ])
        #expect(drive.link.remarks == ["the battery is low, 9 %: charge or change it"])
    }

    @Test func `tells how the strap's own count of energy went`() {
        var drive = Drive()
        drive.connect()
        for packet: [UInt8] in [[0x08, 70, 120, 0], [0x00, 71], [0x08, 72, 141, 0]] { drive.packet(packet) }
        #expect(drive.link.remarks == ["the strap's own count of energy went from 120 to 141 kJ"])
    }

    @Test func `a strap that tells nothing of itself is asked for nothing, and one that refuses is heard`() {
        var silent = Drive()
        silent.connect()
        #expect(silent.calls.isEmpty && silent.link.remarks.isEmpty)
        var refusing = Drive()
        refusing.answer("GetManagedObjects", Drive.objects(isConnected: true, hasFacts: true))
        refusing.answer("StartNotify")
        for _ in 0..<2 { refusing.answer("ReadValue", failing: "NotPermitted") }
        refusing.answer("StartNotify", failing: "NotSupported")
        refusing.packet([0x06, 70])
        #expect(refusing.samples.count == 1 && refusing.losses == [])
    }
}
