import BundleReplay
import Console
import MonitorClient
import Platform
import SessionPorts
import StudyModel
import StudySession
import Terminal
import TextFormat

/// Does what is ordered at the desk, by the ways of `entrain mark`, `entrain control`, `entrain recover` and a monitor.
struct DeskOrders: Sendable {
    let output: String
    /// Who sits at the desk.
    let author: String?
    let rooms: RoomWatch?

    func perform(_ order: DeskOrder) async -> DeskAnswer {
        switch order.action {
        case .mark(let kind): return await tell(order, kind, order.text)
        case .control(let control):
            return await tell(
                order, .control, control == .resume ? RunMark.Control.resumption : order.text, control)
        case .recover: return await recover()
        case .note:
            return await atMonitor {
                (rooms) throws(RoomWatch.Failure) in
                try await rooms.note(order.text, about: order.participant, pressed: order.pressed)
            }
        case .acknowledge:
            guard let number = order.alarm?.number else { return .refused("it is no alarm of a monitor") }
            return await atMonitor { (rooms) throws(RoomWatch.Failure) in try await rooms.acknowledge(number)
            }
        case .begin, .goOn, .check, .newcomer, .quit: return .received
        }
    }

    private func atMonitor(
        _ ask: (RoomWatch) async throws(RoomWatch.Failure) -> Void
    ) async -> DeskAnswer {
        guard let rooms else { return .refused("there is no monitor") }
        do throws(RoomWatch.Failure) { try await ask(rooms) } catch { return .refused(error.description) }
        return .received
    }

    private func tell(
        _ order: DeskOrder, _ kind: RunMark.Kind, _ text: String, _ control: RunMark.Control? = nil
    ) async -> DeskAnswer {
        guard let run = order.run else { return .refused("nobody runs") }
        let request = MarkRequest(
            kind, order.severity, control: control, text: text, by: author, pressed: order.pressed
        ) { _ in }
        guard run.room == nil else {
            return await atMonitor { (rooms) throws(RoomWatch.Failure) in
                try await rooms.ask(run.run, for: request)
            }
        }
        // The run may take ten seconds to answer, and reading blocks.
        let (answers, sink) = AsyncStream.makeStream(of: DeskAnswer.self)
        DetachedThread.start {
            sink.yield(Self.ask(run.run, for: request))
            sink.finish()
        }
        for await answer in answers { return answer }
        return .refused("the run did not answer")
    }

    private static func ask(_ run: String, for request: MarkRequest) -> DeskAnswer {
        guard let descriptor = MarkSocket.connect(to: run) else { return .refused("this run does not go on") }
        return switch MarkSocket.ask(descriptor, for: request) {
        case .kept: .received
        case .refused(let problem): .refused(problem)
        case .none: .refused("the run ended or did not answer; look whether it was done")
        }
    }

    private func recover() async -> DeskAnswer {
        var problem: String?
        do {
            let recoveries = try Recovery.all(in: output) { problem = "\($0)" }
            recoveries.log(in: output)
            await recoveries.endMeasurements(in: output)
        } catch {
            problem = "\(error)"
        }
        return problem.map { .refused($0) } ?? .received
    }
}
