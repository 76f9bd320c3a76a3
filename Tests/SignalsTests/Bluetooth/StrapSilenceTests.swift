import SessionPorts
import StudyModel
import Testing

@testable import Platform
@testable import Signals

@Suite struct StrapSilenceTests {
    @Test func `silence is told after three seconds, and after eight the strap is connected anew`() {
        var drive = Drive()
        drive.connect()
        drive.now = .seconds(2)
        drive.packet([0x06, 70])
        drive.ring(.silence)
        #expect(drive.now == .seconds(3) && drive.losses == [])
        drive.ring(.silence)
        #expect(drive.now == .seconds(5))
        #expect(drive.losses == ["the strap is connected but sends nothing"])
        drive.ring(.silence)
        #expect(drive.now == .seconds(10))
        #expect(drive.calls.map(\.member) == ["StopNotify", "Disconnect"])
        #expect(drive.losses.last == "the strap sends nothing: connecting again")
    }

    @Test func `a stream that ends after thirty seconds is a gap until the strap is connected anew`() {
        var drive = Drive()
        drive.connect()
        for second in 1...30 {
            drive.now = .seconds(Double(second))
            drive.packet([0x06, 70])
        }
        #expect(drive.samples.count == 30 && drive.losses == [])
        // The alarms that were set meanwhile find that packets came; the last one that they did not.
        for _ in 0..<2 { drive.ring(.silence) }
        #expect(drive.now == .seconds(33))
        #expect(drive.losses == ["the strap is connected but sends nothing"])
        drive.ring(.silence)
        #expect(drive.now == .seconds(38))
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
        drive.ring(.again)
        drive.answer("Connect")
        drive.change(
            Drive.device(), "org.bluez.Device1",
            ["Connected": .boolean(true), "ServicesResolved": .boolean(true)])
        drive.answer("StartNotify")
        drive.packet([0x16, 71, 0, 4])
        #expect(drive.reports.suffix(2).first == .live && drive.samples.count == 31)
        // Nobody knows how many beats fell into the gap.
        #expect(drive.samples.last?.lastBeat?.uncertainty == .seconds(1))
    }

    @Test func `a strap that speaks again within eight seconds is live again`() {
        var drive = Drive()
        drive.connect()
        drive.ring(.silence)
        drive.now = .seconds(4)
        drive.packet([0x06, 70])
        #expect(drive.reports.suffix(2).first == .live)
        #expect(drive.samples.count == 1)
    }
}
