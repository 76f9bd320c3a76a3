package import SessionPorts
package import StudyModel

/// A fingertip on a camera, or a video of one, played at the speed at which it was filmed.
///
/// It is live while a pulse is visible. Problems with a camera are reported, and the camera is tried again. A video
/// ends only once.
package struct CameraSource: SampleSource {
    private let origin: VideoFrames.Origin
    private let isVirtual: Bool

    /// - Parameters:
    ///   - origin: the camera or video.
    ///   - isVirtual: whether the run's time stands still while frames are read; only for videos.
    package init(_ origin: VideoFrames.Origin, isVirtual: Bool) {
        self.origin = origin
        self.isVirtual = isVirtual
    }

    /// Checks that a video can be played.
    ///
    /// - Throws: `SourceFailure` if it cannot be opened or is not a video. If ffmpeg is missing, the run says so on
    ///   the participant's screen.
    package static func check(videoAt path: String) throws(SourceFailure) {
        do throws(SourceFailure) {
            var frames = try VideoFrames(of: .file(path))
            _ = try frames.next()
        } catch {
            if error != VideoFrames.noProgram { throw error }
        }
    }

    /// Returns when a video has ended. With a camera, it never returns by itself.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        if isVirtual { await play(on: clock, report) } else { await watch(on: clock, report) }
    }

    /// Reads frames while time stands still.
    private func play<C: Clock>(
        on clock: C, _ report: @Sendable (SourceReport) -> Void
    ) async where C.Instant == RunInstant {
        let offset = RunInstant.start.duration(to: clock.now)
        var pulse = CameraPulse()
        var last = 0.0
        do throws(SourceFailure) {
            var frames = try VideoFrames(of: origin, named: origin.name)
            while let frame = try frames.next() {
                while pulse.isDue(before: frame.time), let due = pulse.due {
                    guard let arrival = await clock.wait(until: due.instant(offset)) else { return }
                    pulse.estimate(offset: offset, arrival: arrival).forEach(report)
                }
                pulse.append(frame)
                last = frame.time
            }
            guard let arrival = await clock.wait(until: last.instant(offset)) else { return }
            pulse.finish(at: last, offset: offset, arrival: arrival).forEach(report)
            report(.lost("the video has ended"))
        } catch { report(.lost(SourceProblem(error.description))) }
    }

    /// Passes on what a separate thread sees.
    private func watch<C: Clock>(
        on clock: C, _ report: @Sendable (SourceReport) -> Void
    ) async where C.Instant == RunInstant {
        let (batches, sink) = AsyncStream.makeStream(of: [SourceReport].self)
        let watch = FrameWatch(origin, now: { clock.now }) {
            sink.yield($0)
        } whenOver: {
            sink.finish()
        }
        watch.begin()
        await withTaskCancellationHandler {
            for await batch in batches {
                for each in batch where !Task.isCancelled { report(each) }
            }
        } onCancel: {
            watch.stop()
            sink.finish()
        }
    }
}

extension VideoFrames.Origin {
    /// The last part of the path, because a bundle must not reveal the machine's folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Double {
    /// A moment of the run from seconds of the frames' own time.
    func instant(_ offset: Duration) -> RunInstant {
        .start.advanced(by: offset + .nanoseconds(Int64((self * 1e9).rounded())))
    }
}
