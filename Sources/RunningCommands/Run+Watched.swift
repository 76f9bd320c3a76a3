import Console
import MonitorClient
import SessionPorts
import StudySession

extension Run {
    /// Runs, shown on a monitor if one is wanted.
    func watched(
        _ sitting: Sitting, requests: AsyncStream<MarkRequest>.Continuation?
    ) async throws -> Sealed {
        guard let watching = try watchers.watch(sitting, tokens, requests: requests) else {
            return try await Self.run(sitting)
        }
        var sitting = sitting
        let lab = sitting.seat.observer
        sitting.seat.observer = { news in
            lab?(news)
            watching.links[0].tell(news)
        }
        for (place, link) in watching.links.dropFirst().enumerated() {
            sitting.observe(companion: place) { link.tell($0) }
        }
        async let outcome = watching.run()
        defer { watching.end() }
        let sealed = try await Self.run(sitting)
        for (link, (outcome, seat)) in zip(
            watching.links, zip([sealed] + sealed.companions, sitting.seats))
        {
            tell(of: outcome, seat.plan, to: link)
        }
        watching.endLinks()
        watching.report(await outcome, in: output)
        return sealed
    }
}
