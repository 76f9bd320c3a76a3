import CLoaded

/// A value as D-Bus sends it.
indirect enum BusValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case real(Double)
    case bytes([UInt8])
    /// An array or a structure.
    case list([BusValue])
    case map([String: BusValue])

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var map: [String: BusValue]? { if case .map(let map) = self { map } else { nil } }
    var list: [BusValue]? { if case .list(let list) = self { list } else { nil } }
}

/// A message from the bus.
enum BusMessage: Hashable, Sendable {
    /// The answer to a call, by its number.
    case answer(Int64, [BusValue])
    /// A call that failed.
    case failure(Int64, BusFailure)
    case signal(path: String, interface: String, member: String, [BusValue])
    /// The connection is over, for this reason.
    case closed(String)
}

/// Why a call failed.
struct BusFailure: Error, Hashable, Sendable {
    /// Such as `org.bluez.Error.InProgress`.
    var name: String
    /// The words of the other program.
    var words: String
}

extension BusMessage {
    /// - Parameters:
    ///   - number: the number of the call that it answers; 0 for a signal.
    ///   - message: libsystemd's message, valid during the call.
    init(_ number: Int64, _ message: OpaquePointer) {
        var name: UnsafePointer<CChar>?
        var reason: UnsafePointer<CChar>?
        if unsafe entrain_message_failure(message, &name, &reason) {
            self = unsafe .failure(number, BusFailure(name: words(at: name), words: words(at: reason)))
            return
        }
        let values = unsafe BusValue.values(of: message)
        self =
            number > 0
            ? .answer(number, values)
            : unsafe .signal(
                path: words(at: entrain_message_path(message)),
                interface: words(at: entrain_message_interface(message)),
                member: words(at: entrain_message_member(message)), values)
    }
}

extension BusValue {
    /// All values up to the end of a container or of the message. D-Bus itself allows at most 64 levels.
    fileprivate static func values(of message: OpaquePointer) -> [BusValue] {
        var values: [BusValue] = []
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        while unsafe entrain_message_peek(message, &type, &contents) > 0 {
            let inner = unsafe words(at: contents)
            guard let value = unsafe value(of: message, type, inner) else { return values }
            values.append(value)
        }
        return values
    }

    private static func value(of message: OpaquePointer, _ type: CChar, _ contents: String) -> BusValue? {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a") where contents == "y":
            var bytes: UnsafeRawPointer?
            var count = 0
            guard unsafe entrain_message_bytes(message, &bytes, &count) >= 0 else { return nil }
            return unsafe .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "r"), UInt8(ascii: "e"):
            guard unsafe entrain_message_enter(message, type, contents) >= 0 else { return nil }
            let values = unsafe values(of: message)
            guard unsafe entrain_message_leave(message) >= 0 else { return nil }
            return container(type, contents, values)
        default:
            return unsafe plain(message, type)
        }
    }

    private static func container(_ type: CChar, _ contents: String, _ values: [BusValue]) -> BusValue? {
        if UInt8(bitPattern: type) == UInt8(ascii: "v") { return values.first }
        guard contents.hasPrefix("{") else { return .list(values) }
        var map: [String: BusValue] = [:]
        for entry in values {
            guard case .list(let pair) = entry, pair.count == 2 else { continue }
            switch pair[0] {
            case .text(let key): map[key] = pair[1]
            case .integer(let key): map[String(key)] = pair[1]
            case .boolean, .real, .bytes, .list, .map: continue
            }
        }
        return .map(map)
    }

    private static func plain(_ message: OpaquePointer, _ type: CChar) -> BusValue? {
        var number: Int64 = 0
        var real = 0.0
        var letters: UnsafePointer<CChar>?
        guard unsafe entrain_message_read(message, type, &number, &real, &letters) > 0 else { return nil }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "b"): return .boolean(number != 0)
        case UInt8(ascii: "d"): return .real(real)
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): return unsafe .text(words(at: letters))
        default: return .integer(number)
        }
    }
}

/// The text, empty if there is none.
private func words(at pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
}
