import Hummingbird
import TextFormat

extension MonitorResponder {
    /// Deletes what somebody has confirmed; before that, says what it would be.
    func delete(_ request: Request, by token: Token?) async throws(Refusal) -> Response {
        let asked = try Deletion.Request(json: try await jsonBody(of: request), by: token?.name)
        var deletion = asked.deletion
        let target = deletion.target
        let extent = try await stored { try await store.extent(of: target, now: now()) }
        guard asked.isConfirmed else {
            let kept = try await bundles.count(of: target)
            return Self.response(.ok, Self.answer(isDeleted: false, extent, bundles: kept))
        }
        // The bundles go first: if the monitor is killed, what is left can be asked for again.
        deletion.bundles = try await bundles.delete(target)
        _ = try await ingest.submit(.delete(deletion))
        if case .participant = target {
            do { try await store.rewriteApart() } catch {
                throw Refusal(
                    .unavailable,
                    "everything was deleted, but the database's files may still hold bytes of it: the disk is full or a reader is in the way"
                )
            }
        }
        return Self.response(.ok, Self.answer(isDeleted: true, extent, bundles: deletion.bundles))
    }

    private static func answer(isDeleted: Bool, _ extent: Extent, bundles: Int) -> JSON {
        var object = JSON.Object(["deleted": .boolean(isDeleted)])
        for (key, value) in extent.members { object[key] = value }
        object["bundles"] = .integer(bundles)
        return .object(object)
    }
}
