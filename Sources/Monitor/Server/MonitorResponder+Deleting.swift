import Hummingbird
import TextFormat

extension MonitorResponder {
    /// Deletes what somebody has confirmed; before that, says what it would be.
    func delete(_ request: Request, by token: Token?) async throws(Refusal) -> Response {
        let asked = try Deletion.Request(json: try await jsonBody(of: request), by: token?.name)
        var deletion = asked.deletion
        let target = deletion.target
        let doomed = try await bundles.doomed(by: target)
        deletion.bundles = doomed.bundles
        let extent = try await stored { [deletion] in try await store.extent(of: deletion, now: now()) }
        guard asked.isConfirmed else {
            return Self.response(.ok, Self.answer(isDeleted: false, extent, doomed))
        }
        // The bundles go last: from the first step on, nothing of them is taken again, and what a killed monitor leaves
        // can be asked for again.
        _ = try await ingest.submit(.delete(deletion))
        try await bundles.delete(target)
        if case .participant = target {
            do { try await store.rewriteApart() } catch {
                throw Refusal(
                    .unavailable,
                    "everything was deleted, but the database's files may still hold bytes of it: the disk is full or a reader is in the way"
                )
            }
        }
        return Self.response(.ok, Self.answer(isDeleted: true, extent, doomed))
    }

    private static func answer(isDeleted: Bool, _ extent: Extent, _ doomed: KeptBundles.Doomed) -> JSON {
        var object = JSON.Object(["deleted": .boolean(isDeleted)])
        for (key, value) in extent.members { object[key] = value }
        object["bundles"] = .integer(doomed.bundles.count)
        object["untoldBundles"] = .integer(doomed.untold)
        return .object(object)
    }
}
