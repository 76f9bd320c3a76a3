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

    /// The members of a JSON object, ordered by the UTF-8 of their keys.
    public struct Object: Hashable, Sendable {
        /// The members, each key once.
        public private(set) var members: [Member]

        /// A key with its value.
        public struct Member: Hashable, Sendable {
            /// The key.
            public var key: String
            /// The value.
            public var value: JSON
        }

        /// The object with these members.
        ///
        /// - Returns: `nil` if a key occurs twice.
        public init?(_ members: [Member]) {
            self.members = members
            order()
            for (left, right) in zip(self.members, self.members.dropFirst()) where left.key == right.key {
                return nil
            }
        }

        /// The object with these members, whose keys must ascend by their UTF-8.
        init(ascending members: [Member]) { self.members = members }

        /// The object with the members of a dictionary.
        public init(_ dictionary: [String: JSON]) {
            members = dictionary.map { Member(key: $0.key, value: $0.value) }
            order()
        }

        /// Sorts the members by their keys, unless they are sorted already.
        private mutating func order() {
            let isAscending = zip(members, members.dropFirst()).allSatisfy {
                Self.precedes($0.key, $1.key)
            }
            if !isAscending { members.sort { Self.precedes($0.key, $1.key) } }
        }

        /// The value of `key`; assigning `nil` removes the member.
        public subscript(key: String) -> JSON? {
            get {
                // Objects are small, and testing keys for equality is faster than comparing their order.
                for member in members where member.key == key { return member.value }
                return nil
            }
            set {
                let place = place(of: key)
                let isThere = place < members.count && members[place].key == key
                switch (newValue, isThere) {
                case (let value?, true): members[place].value = value
                case (let value?, false): members.insert(Member(key: key, value: value), at: place)
                case (nil, true): members.remove(at: place)
                case (nil, false): break
                }
            }
        }

        private func place(of key: String) -> Int {
            var low = 0
            var high = members.count
            while low < high {
                let middle = (low + high) / 2
                if Self.precedes(members[middle].key, key) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        private static func precedes(_ left: String, _ right: String) -> Bool {
            left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
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
        guard let object = Object(elements.map { Object.Member(key: $0.0, value: $0.1) }) else {
            preconditionFailure("a key stands twice in \(elements.map(\.0))")
        }
        self = .object(object)
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
    /// The object of the members that have a value. A key that occurs twice is a mistake of the program.
    ///
    /// Fastest if the keys ascend.
    package static func members(_ pairs: KeyValuePairs<String, JSON?>) -> JSON {
        var members: [Object.Member] = []
        members.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            if let value { members.append(Object.Member(key: key, value: value)) }
        }
        guard let object = Object(members) else {
            preconditionFailure("a key stands twice in \(members.map(\.key))")
        }
        return .object(object)
    }
}
