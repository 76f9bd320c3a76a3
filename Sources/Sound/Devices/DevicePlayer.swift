import CAudioStream
import Platform
package import SessionPorts
package import StudyModel
import Synchronization

/// Plays sounds on a device, each at the frame that belongs to its planned moment.
///
/// One stream runs from before the first step to the end of the run, with silence between sounds. The mixer is ahead of
/// the device's callback, and the device itself keeps some sound. So every sound is heard a constant time, `delay`, after
/// its planned moment, and the result says when that was. How much is kept ready is the player's `Reserve`.
package final class DevicePlayer: StimulusPlayer {
    private struct Entry {
        var playback: Playback
        var onsetFrame: Int64
        /// The frame from which it is silent; `nil` if that is not known yet.
        var end: Int64?
        /// The underruns of the stream when it was placed.
        var shortages: Int
        /// How much later than was said it is heard, because the device stood still, nanoseconds.
        var delay: Int64 = 0
        /// How much of this was while it was heard, nanoseconds.
        var stillness: Int64 = 0
        var queue: FrameQueue
        var sound: Sound
        /// The course of its tempo, if it may change.
        var course: SharedCourse?
        /// The frame from which it is silent in any case.
        var cut: Int64?
        /// What was said of how it is heard, but for times of which nothing is heard.
        var changes: [Playback.Change] = []
    }

    private struct State {
        var mixer = Mixer()
        var clock: StreamClock
        /// The run's first moment, nanoseconds of the monotonic clock.
        var origin: Int64 = 0
        var entries: [Int: Entry] = [:]
        var loss: Loss?
        var isOver = false
        /// How often the stream had run out of sound when that was last looked at.
        var shortages = 0
        /// The frame that the run's end waits for.
        var awaited: Int64?
    }

    /// Since when and why nothing can be heard any more.
    private struct Loss {
        var problem: String
        var frame: Int64
    }

    private let stream: AudioStream
    private let sounds: Sounds
    private let reader = SoundReader()
    private let state: Mutex<State>
    private let announced = AsyncStream.makeStream(of: PlayerNews.self)
    private let lastIsHeard = Semaphore()
    package let delay: Duration

    /// How much sound is kept ready, against a machine that is busy.
    package struct Reserve: Sendable {
        /// How far the mixer is ahead of the device's callback, seconds.
        fileprivate var lead: Double
        /// Time for a device's first large request, and for opening a sound's file, seconds.
        fileprivate var margin: Double
        /// What the device itself keeps, seconds.
        fileprivate var buffer: Double
        /// How long before its first sample a sound is decided on at the latest: it is read meanwhile, seconds.
        fileprivate var reading: Double
        /// To what the delay is rounded up, seconds.
        fileprivate var step: Double
        /// Whether sounds are decoded before any other work of the machine.
        fileprivate var isUrgent = false

        /// A clip never has a hole, and is heard half a second after it was decided on.
        package static let usual = Reserve(lead: 0.15, margin: 0.1, buffer: 0.2, reading: 0.02, step: 0.01)
        /// For sounds that answer the participant.
        package static let low = Reserve(
            lead: 0.01, margin: 0.01, buffer: 0.02, reading: 0.005, step: 0.001, isUrgent: true)
    }

    private let reserve: Reserve

    /// Opens a device and waits until it plays steadily.
    ///
    /// - Throws: `SoundFailure` if it cannot be opened or does not ask for sound.
    package init(
        _ score: Score, on device: AudioDevice, keeping reserve: Reserve = .usual
    ) throws(SoundFailure) {
        self.reserve = reserve
        stream = try AudioStream(
            device, isOutput: true, channels: 2, rate: score.preferredRate, latency: reserve.buffer,
            room: 1 << 16)
        sounds = Sounds(score, rate: stream.rate)
        let (clock, reports) = try stream.steadyClock(
            sign: 1, or: "the sound device '\(device.name)' does not play")
        // A frame is heard this long after the device asked for it.
        let reach = reports.suffix(8).map { $0.heard - $0.called }.max() ?? 0
        let whole = Double(reach) * 1e-9 + reserve.lead + reserve.margin
        delay = .microseconds(Int64((whole / reserve.step).rounded(.up) * reserve.step * 1e6))
        state = Mutex(State(clock: clock))
        DetachedThread.start { [self] in feed() }
        reader.start(isUrgent: reserve.isUrgent)
    }

    package var name: String { "device" }

    package func begin<C: Clock>(on clock: C) where C.Instant == RunInstant {
        let now = clock.now
        state.withLock { $0.origin = monotonicNanoseconds() - now.nanoseconds }
    }

    package func place(
        _ sound: Sound, as voice: Int, at instant: RunInstant
    ) -> (playback: Playback, length: Duration?) {
        let (queue, course) = (FrameQueue(), sounds.course(of: sound))
        let (playback, isHeard) = state.withLock { state -> (Playback, Bool) in
            // What was decided on too late begins late, rather than with a hole.
            let ready = state.mixer.frame + Int64(reserve.reading * Double(sounds.rate))
            let start = max(frame(at: instant, state), ready)
            let isHeard = state.loss == nil
            var playback = Playback(
                ordinal: sound.ordinal, onset: self.instant(of: start, state),
                onsetFrame: isHeard ? start : nil, sampleRate: isHeard ? Double(sounds.rate) : nil,
                latency: isHeard ? .nanoseconds(Int64(stream.latency * 1e9)) : nil)
            if isHeard { (playback.gain, playback.loweredBy) = sounds.reportedGain(of: sound) }
            let cut = sound.cut.map { frame(at: $0, state) }
            let envelope = sounds.envelope(of: sound, at: start, cut: cut)
            state.entries[voice] = Entry(
                playback: playback, onsetFrame: start, end: envelope.end, shortages: stream.shortages,
                queue: queue, sound: sound, course: course, cut: cut)
            if isHeard { state.mixer.add(voice, envelope) }
            return (playback, isHeard)
        }
        if isHeard, let material = sounds.material(of: sound) {
            reader.read(material, rate: sounds.rate, along: course, into: queue)
        } else {
            queue.put([], isLast: true)
        }
        return (playback, sounds.length(of: sound).map { .frames($0, at: sounds.rate) })
    }

    package func stop(_ voice: Int, at instant: RunInstant, fading fade: Duration) {
        state.withLock { state in
            guard let entry = state.entries[voice] else { return }
            let end = max(frame(at: instant, state), state.mixer.frame, entry.onsetFrame)
            state.mixer.cut(voice, at: end, softness: sounds.softness(of: fade))
            state.entries[voice]?.end = min(entry.end ?? end, end)
            state.entries[voice]?.cut = min(entry.cut ?? end, end)
        }
    }

    package func change(
        _ voice: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> (change: Playback.Change, length: Duration?)? {
        state.withLock { state in
            guard let entry = state.entries[voice], state.loss == nil else { return nil }
            let earliest = max(frame(at: instant, state), state.mixer.frame, entry.onsetFrame)
            let turn = sounds.change(
                entry.sound, entry.course, from: entry.onsetFrame, tempo: tempo, gain: gain, at: earliest,
                cut: entry.cut
            ) { self.instant(of: $0, state) }
            guard let turn, let frame = turn.change.frame else { return nil }
            state.mixer.change(
                voice, to: turn.change.gain, at: frame,
                within: frame == entry.onsetFrame ? 0 : sounds.ramp, end: turn.end)
            state.entries[voice]?.end = turn.end
            state.entries[voice]?.changes.append(turn.change)
            return (turn.change, turn.length.map { $0 + .nanoseconds(entry.delay) })
        }
    }

    package func outcome(of voice: Int) -> Playback {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: voice) else {
                preconditionFailure("the outcome of a sound that was never placed")
            }
            entry.queue.close()
            var end = entry.end ?? state.mixer.frame
            var problem = entry.queue.problem
            if problem != nil, let length = entry.queue.length { end = min(end, entry.onsetFrame + length) }
            if let loss = state.loss, loss.frame < end {
                end = max(entry.onsetFrame, loss.frame)
                problem = loss.problem
            }
            let still = entry.stillness / 1_000_000
            if problem == nil, still > 0 { problem = "the sound device stood still for \(still) ms" }
            let missed = stream.shortages - entry.shortages + (entry.queue.starved > 0 ? 1 : 0)
            // A device that stood still for longer than its buffer lasts ran out of sound, whether or not it
            // counted that.
            let underruns = max(missed, Double(still) > stream.latency * 1000 ? 1 : 0)
            var playback = entry.playback
            (playback.end, playback.underruns) = (instant(of: end, state), underruns)
            playback.problem = problem
            return playback
        }
    }

    package func news() -> AsyncStream<PlayerNews> { announced.stream }

    package func finish(at instant: RunInstant) async -> String? {
        // A last tone is played to its end, but a song that was not stopped does not delay the end.
        let last = state.withLock { state in
            state.loss == nil ? state.entries.values.compactMap(\.end).max() : nil
        }
        if let last {
            state.withLock { $0.awaited = last }
            lastIsHeard.wait(milliseconds: 1500)
        }
        state.withLock { $0.isOver = true }
        reader.stop()
        announced.continuation.finish()
        stream.close()
        return nil
    }

    private func frame(at instant: RunInstant, _ state: borrowing State) -> Int64 {
        state.clock.frame(at: state.origin + instant.advanced(by: delay).nanoseconds)
    }

    private func instant(of frame: Int64, _ state: borrowing State) -> RunInstant {
        .nanoseconds(state.clock.nanoseconds(of: frame) - state.origin)
    }
}

extension DevicePlayer {
    /// Keeps the stream filled until the run is over or the device is lost.
    private func feed() {
        _ = entrain_thread_hurry(entrain_feeds_device)
        var position: Int64 = -1
        var watch = DeviceWatch(at: monotonicNanoseconds())
        let lead = Int64(reserve.lead * Double(sounds.rate))
        while true {
            let reports = stream.reports(sign: 1)
            let next = stream.position
            let isLost = watch.isLost(at: monotonicNanoseconds(), hasMoved: next != position)
            position = next
            let goesOn = state.withLock { state -> Bool in
                guard !state.isOver else { return false }
                if stream.shortages > state.shortages { state.clock.doubt() }
                state.shortages = stream.shortages
                for report in reports {
                    if let leap = state.clock.take(report) { standStill(leap, &state) }
                }
                if isLost || !stream.isActive {
                    state.loss = Loss(problem: "the sound device was lost", frame: position)
                    return false
                }
                mix(&state, from: position, to: position + lead)
                if let awaited = state.awaited, position >= awaited { lastIsHeard.signal() }
                return true
            }
            guard goesOn else { break }
            stream.wait(milliseconds: 50)
        }
        lastIsHeard.signal()
        if let loss = state.withLock({ $0.isOver ? nil : $0.loss }) {
            announced.continuation.yield(.lost(loss.problem))
            announced.continuation.finish()
        }
    }

    /// Says how the clips are heard of which the device has played a part, or was to play one.
    ///
    /// What was planned for later frames comes later, too.
    private func standStill(_ leap: StreamClock.Leap, _ state: inout State) {
        for (voice, entry) in state.entries where entry.end.map({ leap.frame < $0 }) != false {
            guard case .clip = entry.sound.content else { continue }
            let frame = max(leap.frame, entry.onsetFrame)
            let known = entry.changes.last { ($0.frame ?? 0) <= frame }
            let place = frame - entry.onsetFrame
            let position = entry.course.map { Int64($0.position(at: place).rounded()) } ?? place
            let still = Playback.Change(
                at: instant(of: frame, state).advanced(by: .nanoseconds(-leap.delay)), frame: frame,
                position: entry.sound.position + .frames(position, at: sounds.rate), tempo: 0,
                gain: known?.gain ?? 0)
            var resumed = still
            (resumed.instant, resumed.tempo) = (instant(of: frame, state), known?.tempo ?? 1)
            let later = entry.changes.filter { ($0.frame ?? 0) > frame }.map { change in
                var moved = change
                moved.instant = moved.instant.advanced(by: .nanoseconds(leap.delay))
                return moved
            }
            let isNews = leap.delay > 0 && !(entry.delay > 0 && known?.frame == frame)
            state.entries[voice]?.changes =
                entry.changes.filter { ($0.frame ?? 0) < frame } + [resumed] + later
            state.entries[voice]?.delay += leap.delay
            if leap.frame > entry.onsetFrame { state.entries[voice]?.stillness += leap.delay }
            let length = (entry.course.map(\.end) ?? sounds.length(of: entry.sound)).map {
                Duration.frames($0, at: sounds.rate) + .nanoseconds(entry.delay + leap.delay)
            }
            announced.continuation.yield(
                .stoodStill(
                    ordinal: entry.sound.ordinal, (isNews ? [still] : []) + [resumed] + later,
                    length: length))
        }
    }

    private func mix(_ state: inout State, from position: Int64, to target: Int64) {
        let entries = state.entries
        let read = { (number: Int, count: Int) in entries[number]?.queue.next(atMost: count) ?? [] }
        state.mixer.skip(to: position, read: read)
        while state.mixer.frame < target {
            let from = state.mixer.frame
            stream.write(state.mixer.render(Int(min(512, target - from)), read: read), from: from)
        }
    }
}
