import Console
import Glibc
import Platform
import StudyEngine
import StudyModel
import StudySession
import TextFormat

extension Readiness {
    /// A sync that takes longer keeps what is recorded from the disk for more than a moment. No step waits for it.
    private static let slowSync = 0.5
    /// A step keeps its time if it is so many times as long as a wake-up is late.
    private static let share = 10.0

    /// How late this machine wakes for a planned moment while the folder's disk syncs, and how long a sync takes: both for
    /// as long as sources are listened to, or for a second.
    func timing() async -> Finding {
        let shortest = plan.sections.flatMap { $0.passes.joined() }.compactMap {
            $0.step.facts.timing?.duration
        }.min()
        return await Self.timing(
            in: output, for: plan.sourceNames.isEmpty ? .seconds(1) : time.duration, shortest: shortest)
    }

    /// - Parameters:
    ///   - output: the folder for result bundles.
    ///   - shortest: how long the shortest step lasts, if it is known.
    static func timing(
        in output: String, for length: Duration = .seconds(1), shortest: Duration? = nil
    ) async -> Finding {
        async let syncs = syncs(in: existing(output), for: length)
        let late = await lateness(for: length)
        let taken = await syncs
        let least = max(0.001, late * share)
        let isTooShort = shortest.map { $0.seconds < least } == true
        var words = [
            "planned moments are met within \(milliseconds(late)), so steps from \(milliseconds(least)) on keep their time"
        ]
        if isTooShort, let shortest {
            words.append(
                "the shortest step of the task lasts \(milliseconds(shortest.seconds)): end other work of this machine"
            )
        }
        if let slowest = taken.max() {
            let usual = taken.sorted()[taken.count / 2]
            words.append("the disk takes \(milliseconds(usual)) for a sync, at most \(milliseconds(slowest))")
            if slowest > slowSync {
                words.append("what is recorded may wait for it that long, and no step does")
            }
        }
        let isSlow = taken.contains { $0 > slowSync }
        return Finding(
            state: isTooShort || isSlow ? .look : .ok, subject: "timing", words: words.joined(separator: "; ")
        )
    }

    private static func milliseconds(_ seconds: Double) -> String {
        "\(plainNumber((seconds * 10_000).rounded() / 10)) ms"
    }

    /// The most by which the thread of a run wakes late, seconds.
    private static func lateness(for length: Duration) async -> Double {
        await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 1))
            var (due, worst) = (clock.now, Duration.zero)
            let end = due.advanced(by: length)
            while due < end {
                due = due.advanced(by: .milliseconds(5))
                do { try await clock.sleep(until: due, tolerance: nil) } catch { break }
                worst = max(worst, due.duration(to: clock.now))
            }
            return worst.seconds
        }
    }

    /// How long syncs of a small file take, seconds; none if no file can be made there.
    private static func syncs(in folder: String, for length: Duration) async -> [Double] {
        await withCheckedContinuation { done in
            DetachedThread.start {
                var path = Array("\(folder)/.entrain-XXXXXX".utf8CString)
                let file = unsafe mkstemp(&path)
                guard file >= 0 else { return done.resume(returning: []) }
                unsafe unlink(path)
                defer { close(file) }
                let page = [UInt8](repeating: 0, count: 4096)
                let end = monotonicNanoseconds() + Int64(length / .nanoseconds(1))
                var taken: [Double] = []
                while case let begin = monotonicNanoseconds(), begin < end, taken.count < 200 {
                    guard unsafe write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                        break
                    }
                    taken.append(Double(monotonicNanoseconds() - begin) * 1e-9)
                }
                done.resume(returning: taken)
            }
        }
    }
}
