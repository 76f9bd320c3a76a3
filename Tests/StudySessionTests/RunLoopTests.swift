import Glibc
import SessionPorts
import StudyModel
import StudySession
import Testing

@Suite struct RunLoopTests {
    @Test func `virtual time jumps from deadline to deadline, in their order`() async {
        let woken = await RunLoop.with { loop in
            let clock = loop.clock(.virtual)
            return await withTaskGroup(of: (Int, RunInstant).self) { group in
                for (index, seconds) in [3_600.0, 1, 60, 1].enumerated() {
                    group.addTask {
                        do { try await clock.sleep(until: .seconds(seconds), tolerance: nil) } catch {
                            return (-1, clock.now)
                        }
                        return (index, clock.now)
                    }
                }
                var woken: [(Int, RunInstant)] = []
                for await entry in group { woken.append(entry) }
                return woken
            }
        }
        #expect(woken.map(\.0) == [1, 3, 2, 0])
        #expect(woken.map(\.1) == [.seconds(1), .seconds(1), .seconds(60), .seconds(3_600)])
    }

    @Test func `nobody wakes before the deadline in real time`() async {
        let early = await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 100))
            var early = 0
            for step in 1...20 {
                let deadline = RunInstant.seconds(Double(step) * 0.1)
                do { try await clock.sleep(until: deadline, tolerance: nil) } catch { early += 1 }
                if clock.now < deadline { early += 1 }
            }
            return early
        }
        #expect(early == 0)
    }

    @Test func `a clock may have started a while ago, but not in virtual time`() async {
        let times = await RunLoop.with { loop in
            [RunLoop.Pace.virtual, .realTime(speed: 1), .realTime(speed: 10)].map { pace in
                loop.clock(pace, started: .seconds(3)).now
            }
        }
        #expect(times[0] == .start)
        #expect(times[1] >= .seconds(3))
        #expect(times[2] >= .seconds(30))
    }

    @Test func `a cancelled sleeper wakes at once, cancelled before or after it fell asleep`() async {
        let outcomes = await RunLoop.with { loop in
            let clock = loop.clock(.virtual)
            return await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do { try await clock.sleep(until: .seconds(1_000_000), tolerance: nil) } catch {
                        return true
                    }
                    return false
                }
                group.addTask {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    do { try await clock.sleep(until: .seconds(1_000_000), tolerance: nil) } catch {
                        return true
                    }
                    return false
                }
                do { try await clock.sleep(until: .seconds(1), tolerance: nil) } catch { return [false] }
                group.cancelAll()
                var outcomes: [Bool] = []
                for await outcome in group { outcomes.append(outcome) }
                return outcomes
            }
        }
        #expect(outcomes == [true, true])
    }

    @Test func `after a standstill, what was due waits until what came meanwhile was read`() async {
        let woken = await RunLoop.with { loop in
            // Nobody looked at the clock for three seconds.
            let clock = loop.clock(.realTime(speed: 1), started: .seconds(3))
            return await withTaskGroup(of: (Int, RunInstant).self) { group in
                for due in [2, 1] {
                    group.addTask {
                        do { try await clock.sleep(until: .seconds(Double(due)), tolerance: nil) } catch {}
                        return (due, clock.now)
                    }
                }
                var woken: [(Int, RunInstant)] = []
                for await entry in group { woken.append(entry) }
                return woken
            }
        }
        #expect(woken.map(\.0) == [1, 2])
        #expect(woken.allSatisfy { $0.1 >= .seconds(3.1) })
    }

    @Test func `what runs in a loop runs on its thread from the beginning`() async {
        let threads = await RunLoop.with { _ in
            let outer = pthread_self()
            return await RunLoop.with { _ in [outer, pthread_self()] }
        }
        #expect(threads[0] != threads[1])
    }
}
