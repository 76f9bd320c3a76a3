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
        #expect(drive.calls.map(\.call.argument) == [.noOptions, .noOptions, .noOptions, .noOptions, .none])
        drive.answer("ReadValue", [.bytes(Array("H10\0".utf8))])
        drive.answer("ReadValue", [.bytes(Array("5.0.0".utf8))])
        drive.answer("ReadValue", [.bytes([1])])
        drive.answer("ReadValue", [.bytes([15])])
        drive.answer("StartNotify")
        let level = { (byte: UInt8) in
            drive.change(Drive.battery, "org.bluez.GattCharacteristic1", ["Value": .bytes([byte])])
        }
        for byte: UInt8 in [15, 14, 255] { level(byte) }
        drive.change(Drive.device(), "org.bluez.Battery1", ["Percentage": .integer(9)])
        var known = SourceInformation(device: "Fake H10 1", identifier: "A0:9E:1A:00:00:01")
        var told = [SourceReport.live, .told(known)]
        func expect(_ change: (inout SourceInformation) -> Void) {
            change(&known)
            told.append(.told(known))
        }
        expect { $0.model = "H10" }
        expect { $0.firmware = "5.0.0" }
        expect { $0.sensorLocation = "chest" }
        for level in [15, 14, 9] { expect { $0.battery = level } }
        #expect(drive.reports == told)
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
        for _ in 0..<4 { refusing.answer("ReadValue", failing: "NotPermitted") }
        refusing.answer("StartNotify", failing: "NotSupported")
        refusing.packet([0x06, 70])
        #expect(refusing.samples.count == 1 && refusing.losses == [])
    }
}
