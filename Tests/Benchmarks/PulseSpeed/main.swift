import Glibc
import Physiology
import Recordings

/// Seconds of a processor that some work takes, the best of several times: other programs on the machine
/// spoil this less than the time that passes.
func seconds(times: Int = 7, _ work: () -> Void) -> Double {
    var best = Double.infinity
    for _ in 0..<times {
        let start = processorSeconds()
        work()
        best = min(best, processorSeconds() - start)
    }
    return best
}

func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// A pulse with a diastolic wave, a breath in its rate and a little noise.
func pulse(seconds: Double, rate: Double) -> [Double] {
    var (phase, state) = (0.0, UInt64(1))
    return (0..<Int(seconds * rate)).map { index in
        let time = Double(index) / rate
        phase += (1.2 + 0.06 * sin(2 * .pi * time / 4)) / rate
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let part = phase - phase.rounded(.down)
        return exp(-pow((part - 0.2) / 0.08, 2)) + 0.3 * exp(-pow((part - 0.55) / 0.1, 2))
            + 0.02 * Double(state >> 40) / Double(1 << 24)
    }
}

/// Samples a second through the whole detector: beats, intervals and windows.
func batch(seconds length: Double) -> Double {
    let trace = PulseTrace(signal: pulse(seconds: length, rate: 100), rate: 100)
    return Double(trace.times.count)
        / seconds(times: 5) { precondition(!PulseDetector().detect(in: trace).beats.isEmpty) }
}

/// Milliseconds of one estimate while frames of three colours come in.
func live(isUneven: Bool) -> Double {
    let signal = pulse(seconds: 40, rate: 30)
    var follower = PulseFollower()
    var (took, state) = ([Double](), UInt64(1))
    for (index, value) in signal.enumerated() {
        let time = Double(index) / 30
        if index > 400, index % 15 == 0 {
            took.append(seconds(times: 1) { _ = follower.reading(at: time) })
        }
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        if isUneven, state >> 63 == 0 { continue }
        follower.append(time: time, red: 230 - value / 5, green: 60 - value, blue: 20 - value / 10)
    }
    return 1000 * took.sorted()[took.count / 2]
}

/// How much of memcpy's bandwidth the mean colour of a picture of 1280×720 has, on the same buffer.
func meanColour() -> (gigabytesPerSecond: Double, ofMemcpy: Double) {
    let size = 1280 * 720 * 4
    let picture = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    var copy = [UInt8](repeating: 0, count: size)
    var sum = 0.0
    let mean = unsafe picture.withUnsafeBytes { bytes in
        seconds(times: 60) { unsafe sum += MeanColour(ofBGRA: bytes).green }
    }
    let copied = unsafe picture.withUnsafeBytes { bytes in
        unsafe copy.withUnsafeMutableBytes { other in
            seconds(times: 60) { unsafe other.copyMemory(from: bytes) }
        }
    }
    precondition(sum > 0 && copy == picture)
    return (Double(size) / mean / 1e9, copied / mean)
}

let mean = meanColour()
print(
    """
    {"samplesPerSecond":{"60":\(batch(seconds: 60)),"600":\(batch(seconds: 600)),"3600":\(batch(seconds: 3600))},
     "liveMilliseconds":\(live(isUneven: false)),"liveUnevenMilliseconds":\(live(isUneven: true)),
     "meanColourGigabytesPerSecond":\(mean.gigabytesPerSecond),"meanColourOfMemcpy":\(mean.ofMemcpy)}
    """)
