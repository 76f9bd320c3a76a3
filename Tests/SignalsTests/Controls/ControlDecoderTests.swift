import StudyModel
import StudyTesting
import Testing

@testable import Signals

/// Bytes of joysticks and MIDI controllers, as the kernel and MIDI 1.0 describe them.
@Suite struct ControlDecoderTests {
    /// `struct input_event` of a 64-bit kernel.
    static func event(
        _ type: UInt16, _ code: UInt16, _ value: Int32, at seconds: Int64 = 0, _ micro: Int64 = 0
    )
        -> [UInt8]
    {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe Array($0) }
        }
        return bytes(seconds) + bytes(micro) + bytes(type) + bytes(code) + bytes(value)
    }

    @Test func `axes that move together come as one report, with the kernel's time`() {
        // x to 511, y to -512, a button, the report's end; then x alone.
        let bytes =
            Self.event(3, 0, 511, at: 12, 345_678) + Self.event(3, 1, -512, at: 12, 345_678)
            + Self.event(1, 288, 1, at: 12, 345_678) + Self.event(0, 0, 0, at: 12, 345_678)
            + Self.event(3, 0, 0, at: 12, 400_000) + Self.event(0, 0, 0, at: 12, 400_000)
        #expect(bytes.count == 6 * 24)
        // The first event as it lies in memory.
        #expect(
            bytes.prefix(24) == [
                12, 0, 0, 0, 0, 0, 0, 0, 0x4E, 0x46, 5, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0xFF, 1, 0, 0,
            ])
        let wanted = [
            ControlReport(values: [0: 511, 1: -512], stamp: 12_345_678_000),
            ControlReport(values: [0: 0], stamp: 12_400_000_000),
        ]
        for length in [1, 7, 24, 100, 200] {
            var decoder = InputEventDecoder()
            var found: [ControlReport] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                found += decoder.decode(bytes[start..<min(bytes.count, start + length)])
            }
            #expect(found == wanted, "split by \(length)")
        }
    }

    @Test func `what comes between lost events and the next report's end does not count`() {
        var decoder = InputEventDecoder()
        let bytes =
            Self.event(3, 0, 1) + Self.event(0, 3, 0) + Self.event(3, 0, 2) + Self.event(0, 0, 0)
            + Self.event(3, 0, 3) + Self.event(0, 0, 0)
        #expect(decoder.decode(bytes).map(\.values) == [[0: 3]])
        #expect(decoder.decode(Self.event(1, 288, 1) + Self.event(0, 0, 0)) == [])
        let late = decoder.decode(Self.event(3, 0, 4, at: .max, 0) + Self.event(0, 0, 0, at: .max, -1))
        #expect(late == [ControlReport(values: [0: 4], stamp: nil)])
    }

    @Test(
        arguments: [
            // A status for each change, then running status.
            ([0xB0, 7, 64, 0xB0, 7, 65, 7, 66, 10, 1], [[7: 64], [7: 65], [7: 66], [10: 1]]),
            // Clock and active sensing within a message; a note between.
            ([0xB0, 0xF8, 7, 0xFE, 64, 0x90, 60, 100, 7, 65, 0xB1, 7, 1], [[7: 64], [7: 1]]),
            // One byte of data for a programme change; it ends no message of two.
            ([0xC0, 5, 6, 0xB2, 1, 2, 0xD0, 9, 0xB2, 1, 3], [[1: 2], [1: 3]]),
            // A system message ends the running status; what stands in it is no change.
            ([0xB0, 7, 1, 0xF0, 0x7E, 7, 2, 0xF7, 7, 3, 0xB0, 7, 4], [[7: 1], [7: 4]]),
            ([0xB0, 7, 1, 0xF2, 7, 2, 7, 3], [[7: 1]]),
            // Bytes of data from before the first status, and half a message at the end.
            ([7, 1, 0xB0, 7], []),
        ] as [([UInt8], [[Int: Int]])])
    func `control changes are read from a stream of bytes`(bytes: [UInt8], values: [[Int: Int]]) {
        var whole = ControlChangeDecoder()
        #expect(whole.decode(bytes).map(\.values) == values)
        var split = ControlChangeDecoder()
        #expect(bytes.flatMap { split.decode([$0]) }.map(\.values) == values)
    }

    @Test func `a channel that is named is the only one that counts`() {
        var decoder = ControlChangeDecoder(channel: 2)
        #expect(
            decoder.decode([0xB0, 7, 1, 0xB1, 7, 2, 7, 3, 0xBF, 7, 4]).map(\.values) == [[7: 2], [7: 3]])
    }

    @Test func `values become shares of the way, inverted where the study says so`() {
        var device = ControlDevice(.midi, at: "/dev/snd/midiC0D0")
        device.horizontal = ControlDevice.Axis(7, range: 27...127)
        device.vertical = ControlDevice.Axis(8, isInverted: true)
        var positions = ControlPositions(device) { _ in -5...5 }
        let found = positions.take([0xB0, 7, 127, 7, 77, 7, 0, 8, 127, 8, 0, 9, 5]).map(\.0)
        #expect(
            found == [
                ControlPosition(horizontal: 1), ControlPosition(horizontal: 0.5),
                ControlPosition(horizontal: 0), ControlPosition(vertical: 0), ControlPosition(vertical: 1),
            ])
        // A joystick states its own range, and its second axis grows downwards.
        var stick = ControlPositions(ControlDevice(.joystick, at: "/dev/input/event0")) { axis in
            axis == 0 ? 0...1023 : nil
        }
        let moved = stick.take(Self.event(3, 0, 1023) + Self.event(3, 1, -32_768) + Self.event(0, 0, 0))
        #expect(moved.map(\.0) == [ControlPosition(horizontal: 1, vertical: 1)])
    }
}
