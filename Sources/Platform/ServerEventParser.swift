/// Parses a stream of server-sent events.
package struct ServerEventParser {
    /// The identifier of the last complete event, for resuming the stream.
    package private(set) var lastIdentifier: String?
    /// How long the server wants clients to wait between attempts.
    package private(set) var pause: Duration?
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var name = ""
    private var identifier: String?
    private var data: [UInt8] = []
    private static let longest = 65_536

    private let names: Set<String>

    /// - Parameter names: the names of the events that are wanted; the empty one stands for events without a name.
    package init(names: Set<String>) { self.names = names }

    /// The stream starts again.
    package mutating func begin() { (line, name, data, identifier, isAfterReturn) = ([], "", [], nil, false) }

    /// - Returns: the data of each event that is wanted.
    package mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for byte in bytes {
            defer { isAfterReturn = byte == 0x0D }
            if byte == 0x0A, isAfterReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                if line.count < Self.longest { line.append(byte) }
                continue
            }
            if let event = end() { found.append(event) }
            line = []
        }
        return found
    }

    /// A line is complete; an empty line ends an event.
    private mutating func end() -> [UInt8]? {
        guard !line.isEmpty else {
            defer { (name, data, identifier) = ("", [], nil) }
            lastIdentifier = identifier ?? lastIdentifier
            return data.isEmpty || !names.contains(name) ? nil : data
        }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "data": data = Array((data + Array(value.utf8) + [0x0A]).prefix(Self.longest))
        case "event": name = String(value)
        case "id": if value.utf8.allSatisfy({ $0 >= 0x20 }) { identifier = String(value) }
        case "retry": if let told = Int(value), (0...600_000).contains(told) { pause = .milliseconds(told) }
        default: break
        }
        return nil
    }
}
