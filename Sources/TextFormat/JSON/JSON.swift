/// A JSON value, as the bundle's files hold it.
///
/// Integers and reals are distinct: `72` is an integer, `72.0` a real.
public enum JSON: Hashable, Sendable {
    /// `null`; the bundle's own files never hold it.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without a decimal point or exponent that fits into 64 bits.
    case integer(Int)
    /// Any other number.
    case real(Double)
    /// A string.
    case text(String)
    /// An array.
    case list([JSON])
    /// An object.
    case object(Object)

    /// The members of a JSON object. Their order is no part of the value.
    public struct Object: Sendable {
        /// The members in the order in which they were given, each key once. A member that is added to ascending ones
        /// goes to its place among them.
        package private(set) var givenMembers: [Member]
        private let isAscending: Bool

        /// A key with its value.
        public struct Member: Hashable, Sendable {
            /// The key.
            public var key: String
            /// The value.
            public var value: JSON

            /// A key with its value.
            public init(key: String, value: JSON) {
                self.key = key
                self.value = value
            }
        }

        /// The object with these members.
        ///
        /// - Returns: `nil` if a key occurs twice.
        public init?(_ members: [Member]) {
            givenMembers = members
            isAscending = Self.isAscending(members)
            guard Self.isUnique(members) else { return nil }
        }

        /// The object with these members, whose keys must ascend by their UTF-8.
        init(ascending members: [Member]) {
            givenMembers = members
            isAscending = true
        }

        /// The object with the members of a dictionary.
        public init(_ dictionary: [String: JSON]) {
            self.init(
                ascending: Self.sorted(dictionary.map { Member(key: $0.key, value: $0.value) }))
        }

        /// The members, ordered by the UTF-8 of their keys.
        public var members: [Member] { isAscending ? givenMembers : Self.sorted(givenMembers) }

        /// The value of `key`; assigning `nil` removes the member.
        public subscript(key: String) -> JSON? {
            get {
                // Objects are small, and testing keys for equality is faster than comparing their order.
                for member in givenMembers where member.key == key { return member.value }
                return nil
            }
            set {
                let place = givenMembers.firstIndex { $0.key == key }
                switch (newValue, place) {
                case (let value?, let place?): givenMembers[place].value = value
                case (let value?, nil):
                    let next = isAscending ? givenMembers.firstIndex { Self.precedes(key, $0.key) } : nil
                    givenMembers.insert(Member(key: key, value: value), at: next ?? givenMembers.count)
                case (nil, let place?): givenMembers.remove(at: place)
                case (nil, nil): break
                }
            }
        }

        private static func isUnique(_ members: [Member]) -> Bool {
            guard members.count <= 8 else { return Set(members.lazy.map(\.key)).count == members.count }
            return members.indices.allSatisfy { place in
                !members[..<place].contains { $0.key == members[place].key }
            }
        }

        private static func isAscending(_ members: [Member]) -> Bool {
            zip(members, members.dropFirst()).allSatisfy { precedes($0.key, $1.key) }
        }

        private static func sorted(_ members: [Member]) -> [Member] {
            members.sorted { precedes($0.key, $1.key) }
        }

        private static func precedes(_ left: String, _ right: String) -> Bool {
            let (left, right) = (left.utf8.span, right.utf8.span)
            for place in 0..<min(left.count, right.count) where left[place] != right[place] {
                return left[place] < right[place]
            }
            return left.count < right.count
        }
    }
}

extension JSON.Object: Hashable {
    /// Whether both have the same members.
    public static func == (left: Self, right: Self) -> Bool { left.members == right.members }

    /// Hashes the members, whatever their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSON {
    /// An object of these members.
    public static func members(_ members: [String: JSON]) -> JSON { .object(Object(members)) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    /// An object. A key that occurs twice is a mistake of the program.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .members(elements.map { Object.Member(key: $0.0, value: $0.1) })
    }

    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .list(elements) }
    /// A string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A real.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSON {
    /// The member with that key, if this is an object that has it.
    public subscript(key: String) -> JSON? { object?[key] }

    /// The members, if this is an object.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }
    /// The elements, if this is an array.
    public var list: [JSON]? { if case .list(let list) = self { list } else { nil } }
    /// The characters, if this is a string.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The number, if this is an integer.
    public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
    /// The truth value, if this is one.
    public var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
    /// The number, whole or not.
    public var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .null, .boolean, .text, .list, .object: nil
        }
    }
}

extension JSON {
    /// A list of texts.
    package static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

    /// The object with these members. A key that occurs twice is a mistake of the program.
    package static func members(_ members: [Object.Member]) -> JSON {
        guard let object = Object(members) else {
            preconditionFailure("a key stands twice in \(members.map(\.key))")
        }
        return .object(object)
    }

    /// The object of the members that have a value. A key that occurs twice is a mistake of the program.
    ///
    /// Fastest if the keys ascend.
    package static func members(_ pairs: KeyValuePairs<String, JSON?>) -> JSON {
        var members: [Object.Member] = []
        members.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            if let value { members.append(Object.Member(key: key, value: value)) }
        }
        return .members(members)
    }
}
