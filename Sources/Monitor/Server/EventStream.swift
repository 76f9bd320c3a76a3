import NIOCore

/// An endless stream of server-sent events: first the stored records, then new ones.
struct EventStream: AsyncSequence, Sendable {
    static let contentType = "text/event-stream"

    let store: Store
    let selection: Selection
    /// The number of the last record that the client has seen.
    let seen: Int64
    let messages: AsyncStream<Feed.Message>
    /// What is sent first.
    let head: String

    func makeAsyncIterator() -> Iterator {
        Iterator(
            store: store, selection: selection, head: head, last: seen, messages: messages.makeAsyncIterator()
        )
    }

    /// Parts of the stream, each of complete events.
    struct Iterator: AsyncIteratorProtocol {
        let store: Store
        let selection: Selection
        var head: String?
        /// The number of the last record that was sent.
        var last: Int64
        var messages: AsyncStream<Feed.Message>.Iterator
        /// Whether the store may contain more than was sent.
        var isBehind = true

        mutating func next() async throws -> ByteBuffer? {
            if let head {
                self.head = nil
                return ByteBuffer(string: head)
            }
            while true {
                if isBehind {
                    if let piece = try await stored() { return piece }
                    isBehind = false
                }
                switch await messages.next(isolation: #isolation) {
                case .notice(let bytes): return bytes
                case .frames(let bytes, let number):
                    guard number > last else { continue }
                    if Self.numberOfFirst(in: bytes) > last {
                        last = number
                        return bytes
                    }
                    isBehind = true
                case nil: return nil
                }
            }
        }

        private mutating func stored() async throws -> ByteBuffer? {
            let records = try await store.records(of: selection, after: last, limit: 1000)
            guard let newest = records.last else { return nil }
            var bytes = ByteBuffer()
            for record in records { bytes.writeBytes(record.frame) }
            last = newest.number
            return bytes
        }

        /// The number in the `id` line with which frames begin.
        private static func numberOfFirst(in bytes: ByteBuffer) -> Int64 {
            let line = bytes.readableBytesView.prefix(24).dropFirst(4).prefix { (0x30...0x39).contains($0) }
            return line.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
    }
}
