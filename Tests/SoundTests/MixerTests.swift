import Testing

@testable import Sound

@Suite struct MixerTests {
    /// A sound that tells its own frame: 1, 2, 3 …, thousandths.
    private func ramp() -> (Int, Int) -> [Float] {
        var next: [Int: Int] = [:]
        return { number, count in
            let first = next[number] ?? 0
            next[number] = first + count
            var samples: [Float] = []
            for frame in first..<(first + count) {
                let value = Float(frame + 1) / 1000
                samples += [value, value]
            }
            return samples
        }
    }

    private func voice(_ start: Int64, _ end: Int64?, gain: Double = 0, fade: Int64 = 0) -> Envelope {
        Envelope(start: start, end: end, gain: gain, fadeIn: fade, fadeOut: fade)
    }

    private func left(_ samples: [Float]) -> [Float] {
        stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }

    @Test(arguments: [1, 3, 7, 64]) func `places a sound at its frame, however it is rendered`(block: Int) {
        var mixer = Mixer()
        mixer.add(1, voice(5, 9))
        let read = ramp()
        var all: [Float] = []
        while mixer.frame < 64 { all += left(mixer.render(min(block, 64 - Int(mixer.frame)), read: read)) }
        var wanted = [Float](repeating: 0, count: 64)
        for index in 0..<4 { wanted[5 + index] = Float(index + 1) / 1000 }
        #expect(all == wanted)
        #expect(mixer.voices.isEmpty)
    }

    @Test func `adds sounds up and keeps within the range`() {
        var mixer = Mixer()
        mixer.add(1, voice(0, 4))
        mixer.add(2, voice(1, 4))
        let levels: [Int: Float] = [1: 0.75, 2: 0.5]
        let loud = mixer.render(4) { number, count in
            [Float](repeating: levels[number] ?? 0, count: count * 2)
        }
        #expect(left(loud) == [0.75, 1, 1, 1])
    }

    @Test func `changes the level by decibels`() {
        var mixer = Mixer()
        mixer.add(1, voice(0, 2, gain: -20))
        let quiet = mixer.render(2) { _, count in [Float](repeating: 1, count: count * 2) }
        #expect(abs(quiet[0] - 0.1) < 1e-6)
    }

    @Test func `fades in from nothing and out to nothing`() {
        var mixer = Mixer()
        mixer.add(1, voice(0, 200, fade: 50))
        let faded = left(mixer.render(200) { _, count in [Float](repeating: 1, count: count * 2) })
        #expect(faded[0] == 0 && faded[199] < 0.01)
        #expect(zip(faded[..<50], faded[1...50]).allSatisfy { $0 < $1 })
        #expect(zip(faded[150..<199], faded[151...199]).allSatisfy { $0 > $1 })
        #expect(faded[50..<149].allSatisfy { $0 == 1 })
    }

    @Test func `cuts a sound softly at the frame that is asked for, or at the first that is left`() {
        var mixer = Mixer()
        mixer.add(1, voice(0, nil))
        let ones = { (_: Int, count: Int) in [Float](repeating: 1, count: count * 2) }
        _ = mixer.render(100, read: ones)
        mixer.cut(1, at: 140, softness: 20)
        let rest = left(mixer.render(100, read: ones))
        #expect(rest[..<19].allSatisfy { $0 == 1 })
        #expect(rest[39] < 0.05 && rest[40...].allSatisfy { $0 == 0 })
        mixer.add(2, voice(200, nil))
        mixer.cut(2, at: 150, softness: 20)
        #expect(left(mixer.render(10, read: ones)).allSatisfy { $0 == 0 })
    }

    @Test func `keeps the time of a sound that had nothing ready`() {
        let queue = FrameQueue()
        queue.put([1, 1], isLast: false)
        #expect(queue.next(atMost: 3) == [1, 1])
        #expect(queue.starved == 2)
        queue.put([2, 2, 3, 3, 4, 4], isLast: true)
        #expect(queue.next(atMost: 3) == [4, 4])
        #expect(queue.starved == 2)
    }
}
