import NIOCore
import Synchronization

/// Connections that have not sent a whole head yet, by address. A client with many of them would keep
/// everybody else out. So an address that has too many loses its oldest one; those that do send something are
/// not touched.
final class PendingConnections: Sendable {
    private let limit: Int
    private let waiting = Mutex<[String: [any Channel]]>([:])

    init(limit: Int) { self.limit = limit }

    func add(_ channel: any Channel) {
        guard let address = channel.remoteAddress?.ipAddress else { return }
        let oldest = waiting.withLock { waiting -> (any Channel)? in
            waiting[address, default: []].append(channel)
            return waiting[address, default: []].count > limit ? waiting[address]?.removeFirst() : nil
        }
        oldest?.close(promise: nil)
    }

    func remove(_ channel: any Channel) {
        guard let address = channel.remoteAddress?.ipAddress else { return }
        waiting.withLock { waiting in
            waiting[address]?.removeAll { $0 === channel }
            if waiting[address]?.isEmpty == true { waiting[address] = nil }
        }
    }
}
