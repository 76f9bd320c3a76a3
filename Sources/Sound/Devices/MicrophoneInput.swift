import CAudioStream
import Glibc
import Platform
package import SessionPorts
import StudyModel
import Synchronization

/// A microphone: one input stream from before the first step to the run's end, from which each recording takes the
/// frames of its time.
package final class MicrophoneInput: Sendable {
    private struct State {
        var clock: StreamClock
        var origin: Int64 = 0
        var count = 0
        var takes: [Int: Pending] = [:]
        var isOver = false
        /// Receives the sound level.
        var listener: AsyncStream<Double>.Continuation?
    }

    /// A recording as the run asked for it; the file belongs to the thread that writes it.
    private struct Pending: Sendable {
        var path: String
        var format: RecorderConfiguration.SoundFormat
        var from: Int64
        var until: Int64?
        var report: @Sendable (SoundReport) -> Void
    }

    private let stream: AudioStream
    private let state: Mutex<State>
    private let isSettled = Semaphore()

    /// A sound server tells another delay in its first seconds than later: every recording that began then would begin
    /// half a second too late. Seconds.
    private static let settling = 2

    /// Opens an input and waits until it delivers frames steadily, and its delay is known.
    package init(_ device: AudioDevice) throws(SoundFailure) {
        stream = try AudioStream(
            device, isOutput: false, channels: 1, rate: 48_000, latency: 0.1, room: 1 << 17)
        let clock = try stream.steadyClock(
            sign: -1, or: "the microphone '\(device.name)' records nothing"
        ).clock
        state = Mutex(State(clock: clock))
        DetachedThread.start { [self] in listen() }
        isSettled.wait(milliseconds: 2 * Self.settling * 1000)
    }

    /// The microphone as a session uses it.
    package var microphone: Microphone {
        Microphone(
            levels: SoundLevels { [self] in
                let (levels, listener) = AsyncStream.makeStream(
                    of: Double.self, bufferingPolicy: .bufferingNewest(1))
                state.withLock { $0.listener = listener }
                return levels
            },
            begin: { [self] now in state.withLock { $0.origin = monotonicNanoseconds() - now.nanoseconds } },
            record: { [self] path, format, start, report in
                state.withLock { state in
                    state.count += 1
                    let from = state.clock.frame(at: state.origin + start.nanoseconds)
                    state.takes[state.count] = Pending(path: path, format: format, from: from, report: report)
                    return state.count
                }
            },
            stop: { [self] number, instant in
                state.withLock { state in
                    let until = state.clock.frame(at: state.origin + instant.nanoseconds)
                    guard let from = state.takes[number]?.from else { return }
                    state.takes[number]?.until = max(until, from)
                }
            }, close: { [self] in state.withLock { $0.isOver = true } })
    }

    /// How much of the past is kept, seconds: a recording is requested only after it has begun, and the first one only
    /// when the disk has made the bundle.
    private static let past = 10

    /// Writes what was recorded to the files, until the run is over.
    private func listen() {
        _ = entrain_thread_hurry(entrain_feeds_device)
        var kept: [Float] = []
        var first: Int64 = 0
        var takes: [Int: SoundTake] = [:]
        var hasSettled = false
        var watch = DeviceWatch(at: monotonicNanoseconds())
        while true {
            let fresh = stream.read(stream.rate)
            let isSilent = watch.isLost(at: monotonicNanoseconds(), hasMoved: !fresh.isEmpty)
            kept += fresh
            let reports = stream.reports(sign: -1)
            let (wanted, isOver, listener) = state.withLock { state in
                for report in reports { state.clock.take(report) }
                return (state.takes, state.isOver, state.listener)
            }
            let isLost = isSilent || !stream.isActive
            let end = first + Int64(kept.count)
            if !hasSettled, isLost || end >= Int64(Self.settling * stream.rate) {
                hasSettled = true
                isSettled.signal()
            }
            for (number, pending) in wanted {
                let take =
                    takes[number]
                    ?? SoundTake(pending.path, pending.format, from: pending.from, rate: stream.rate)
                takes[number] = take
                // The end may be reported a little late, so this much is held back.
                let until = min(pending.until ?? end - Int64(stream.rate / 5), end)
                let from = max(first, pending.from + take.written)
                if from < until {
                    take.fill(Int(from - pending.from - take.written))
                    let level = take.write(kept[Int(from - first)..<Int(until - first)], pending.report)
                    if let level { listener?.yield(level) }
                }
                let isDone = pending.until.map { $0 <= end } == true
                if isDone || isLost || take.problem != nil || isOver {
                    takes[number] = nil
                    state.withLock { $0.takes[number] = nil }
                    take.finish(isLost && !isDone ? "the microphone was lost" : nil, pending.report)
                }
            }
            if isOver { break }
            let spare = kept.count - stream.rate * Self.past
            if spare > stream.rate / 10 {
                kept.removeFirst(spare)
                first += Int64(spare)
            }
            stream.wait(milliseconds: 50)
        }
        state.withLock { $0.listener?.finish() }
        stream.close()
    }
}

/// One recording's file while it is written; belongs to the thread that listens.
private final class SoundTake {
    private var file: SoundFileWriter?
    private(set) var problem: String?
    /// Frames in the file.
    private(set) var written: Int64 = 0
    /// Frames of silence in the place of what the microphone did not give.
    private var lacking: Int64 = 0
    private let rate: Int
    private var energy: Float = 0
    private var counted = 0
    private var wholeEnergy = 0.0

    init(_ path: String, _ format: RecorderConfiguration.SoundFormat, from: Int64, rate: Int) {
        self.rate = rate
        // No other user of the machine may hear what a participant said.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            problem = "cannot write '\(path)': \(systemMessage(errno))"
            return
        }
        close(descriptor)
        do throws(SoundFailure) {
            file = try SoundFileWriter(writing: path, format == .flac ? .flac : .wav, rate: rate, channels: 1)
        } catch {
            problem = error.description
        }
    }

    /// Writes silence in the place of frames that were not recorded, so that those after them keep their moments.
    func fill(_ count: Int) {
        guard count > 0 else { return }
        do throws(SoundFailure) {
            try file?.write([Float](repeating: 0, count: count))
        } catch {
            problem = error.description
            return
        }
        written += Int64(count)
        lacking += Int64(count)
    }

    /// - Returns: the level of the last tenth of a second, dB below full scale, once there is one.
    func write(_ samples: ArraySlice<Float>, _ report: (SoundReport) -> Void) -> Double? {
        do throws(SoundFailure) {
            try file?.write(Array(samples))
        } catch {
            problem = error.description
            return nil
        }
        written += Int64(samples.count)
        for sample in samples { energy += sample * sample }
        counted += samples.count
        guard counted >= rate / 10 else { return nil }
        let level = 10 * log10(max(Double(energy) / Double(counted), 1e-10))
        wholeEnergy += Double(energy)
        (energy, counted) = (0, 0)
        file?.flush()
        report(.written(frames: written, rate: Double(rate), mean: mean, lacking: lacking))
        return level
    }

    private var mean: Double { (wholeEnergy / Double(max(1, written - lacking))).squareRoot() }

    func finish(_ reason: String?, _ report: (SoundReport) -> Void) {
        file = nil
        wholeEnergy += Double(energy)
        report(.written(frames: written, rate: Double(rate), mean: mean, lacking: lacking))
        report(.finished(problem: problem ?? reason))
    }
}
