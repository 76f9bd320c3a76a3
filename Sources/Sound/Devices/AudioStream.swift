import CAudioStream
import Platform

/// An open device. Frames go to it, or come from it, through a callback that neither locks nor allocates.
@safe final class AudioStream: Sendable {
    // SAFETY: lives from init to deinit; what is behind it is made for one writer and one reader.
    nonisolated(unsafe) private let stream: OpaquePointer
    /// Frames per second.
    let rate: Int
    /// The latency that the device reports, seconds.
    let latency: Double

    /// Opens a device and starts it.
    ///
    /// - Parameters:
    ///   - device: PortAudio's number for it.
    ///   - rate: frames per second; a device that cannot do this uses its own rate.
    ///   - latency: the requested latency, seconds.
    ///   - room: frames between the program and the device's callback.
    init(
        _ device: AudioDevice, isOutput: Bool, channels: Int, rate: Int, latency: Double, room: Int
    ) throws(SoundFailure) {
        guard let stream = unsafe entrain_stream_create(UInt32(room), UInt32(channels)) else {
            throw SoundFailure("no memory for sound")
        }
        let error = StandardError.silenced {
            unsafe entrain_stream_open(stream, Int32(device.number), isOutput, Double(rate), latency)
        }
        guard error == 0 else {
            unsafe entrain_stream_free(stream)
            throw SoundFailure(
                "the sound device '\(device.name)' cannot be opened: \(AudioSystem.words(error))")
        }
        unsafe self.stream = stream
        self.rate = Int(unsafe entrain_stream_rate(stream).rounded())
        self.latency = unsafe entrain_stream_latency(stream)
    }

    deinit {
        unsafe entrain_stream_close(stream)
        unsafe entrain_stream_free(stream)
    }

    /// The next frame that the device will take or give.
    var position: Int64 { unsafe entrain_stream_position(stream) }
    /// How often the device ran out of frames or threw some away, or the callback found no frames or no room.
    var shortages: Int { Int(unsafe entrain_stream_shortages(stream)) }
    var isActive: Bool { unsafe entrain_stream_is_active(stream) }

    /// Returns after the device's next callback, or after this many milliseconds.
    func wait(milliseconds: Int) { unsafe entrain_stream_await(stream, Int32(milliseconds)) }

    /// Waits until the device's timing is steady, ten seconds at most.
    ///
    /// - Parameter problem: the error if it does not become steady; the stream is then closed.
    /// - Returns: the device's clock, and what it was made from.
    func steadyClock(
        sign: Int64, or problem: String
    ) throws(SoundFailure) -> (clock: StreamClock, reports: [StreamClock.Report]) {
        let deadline = monotonicNanoseconds() + 10_000_000_000
        var reports: [StreamClock.Report] = []
        while isActive, monotonicNanoseconds() < deadline {
            wait(milliseconds: 100)
            reports += self.reports(sign: sign)
            if let clock = StreamClock(settled: reports, rate: Double(rate)) { return (clock, reports) }
        }
        let isUnsteady = isActive && !reports.isEmpty
        close()
        throw SoundFailure(problem + (isUnsteady ? " steadily: the machine is too busy" : ""))
    }

    /// The reports of the callbacks since the last call: the frame, and when it is heard or was recorded.
    ///
    /// - Parameter sign: 1 for an output, whose frames are heard after the callback; -1 for an input.
    func reports(sign: Int64) -> [StreamClock.Report] {
        var reports: [StreamClock.Report] = []
        var observation = entrain_observation()
        while unsafe entrain_stream_observe(stream, &observation) {
            let delay = observation.delay >= 0 ? observation.delay : Int64(latency * 1e9)
            reports.append(
                StreamClock.Report(
                    frame: observation.frame, heard: observation.called + sign * delay,
                    called: observation.called))
        }
        return reports
    }

    /// Gives the frames from `frame` on, interleaved, to an output.
    func write(_ samples: [Float], from frame: Int64) {
        unsafe entrain_stream_write(stream, frame, samples, Int64(samples.count / 2))
    }

    /// Reads up to `count` frames that an input with one channel has recorded.
    func read(_ count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        let got = Int(unsafe entrain_stream_read(stream, &samples, Int64(count)))
        return got == count ? samples : Array(samples[..<got])
    }

    /// Closes the device. A lost device may block the caller forever, so it is closed on a thread of its own, which
    /// is waited for at most a second.
    func close() {
        let closed = Semaphore()
        DetachedThread.start { [self] in
            unsafe entrain_stream_close(stream)
            closed.signal()
        }
        closed.wait(milliseconds: 1000)
    }
}
