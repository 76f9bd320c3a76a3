import Hashing
import StudyModel
package import TextFormat

/// What a file holds instead of something that the format demands.
package struct WireFailure: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

extension JSON {
    /// A real number; numbers that JSON cannot write become text.
    static func anyReal(_ value: Double) -> JSON { value.isFinite ? .real(value) : .text(value.description) }
    /// A length in whole nanoseconds.
    static func nanoseconds(_ duration: Duration) -> JSON { .integer(Int(duration.wholeNanoseconds)) }
    /// A moment in whole nanoseconds since the run's start.
    static func nanoseconds(_ instant: RunInstant) -> JSON { nanoseconds(instant.offset) }
    /// A length in seconds, to the nanosecond.
    static func seconds(_ duration: Duration) -> JSON { .real(duration.written) }
    /// A moment in seconds since the run's start, to the nanosecond.
    static func seconds(_ instant: RunInstant) -> JSON { seconds(instant.offset) }
    static func text(_ identifier: Identifier) -> JSON { .text(identifier.text) }
    /// A case of an enum: its name alone, or its name with its payload.
    static func variant(_ name: String, _ payload: JSON) -> JSON { .members([name: payload]) }

    package func field(_ key: String) throws -> JSON {
        guard let value = self[key] else { throw WireFailure("'\(key)' is missing") }
        return value
    }

    /// The member with that key as `read` takes it; `nil` if there is none.
    func optional<Value>(_ key: String, _ read: (JSON) throws -> Value) throws -> Value? {
        try self[key].map(read)
    }

    /// The name of an enum's case with its payload (`null` if there is none).
    func asVariant() throws -> (name: String, payload: JSON) {
        if let text { return (text, .null) }
        guard let members = object?.members, members.count == 1 else { throw wrong("one of several cases") }
        return (members[0].key, members[0].value)
    }

    package func asText() throws -> String { try expect(text, "a text") }
    package func asInteger() throws -> Int { try expect(integer, "a whole number") }
    func asBoolean() throws -> Bool { try expect(boolean, "true or false") }
    package func asNumber() throws -> Double { try expect(number ?? text.flatMap { Double($0) }, "a number") }
    func asIdentifier() throws -> Identifier { try expect(text.flatMap { Identifier($0) }, "an identifier") }
    func asChecksum() throws -> String {
        try expect(text.flatMap { SHA256.isHexadecimal($0) ? $0 : nil }, "a SHA-256")
    }
    func asSeed() throws -> UInt64 { try expect(UInt64(asText()), "a seed") }
    func asDictionary<Value>(_ read: (JSON) throws -> Value) throws -> [String: Value] {
        let members = try expect(object, "an object").members
        return Dictionary(uniqueKeysWithValues: try members.map { ($0.key, try read($0.value)) })
    }
    package func asList<Value>(_ read: (JSON) throws -> Value) throws -> [Value] {
        try expect(list, "a list").map(read)
    }

    package func expect<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw wrong(what) }
        return value
    }

    func wrong(_ what: String) -> WireFailure {
        WireFailure("\(String(decoding: encoded().prefix(80), as: UTF8.self)) is not \(what)")
    }
}

extension JSON {
    static func dictionary<Value>(_ dictionary: [String: Value], _ write: (Value) -> JSON) -> JSON {
        .object(Object(dictionary.mapValues(write)))
    }
}
