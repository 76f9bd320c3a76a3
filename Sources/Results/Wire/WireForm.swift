import StudyModel
import TextFormat

/// How a value stands in the files of a bundle: written, read and described by one declaration.
struct WireForm<Value>: Sendable {
    let shape: FieldShape
    let write: @Sendable (Value) -> JSON
    let read: @Sendable (JSON) throws -> Value
    /// The members of an object, in the order of their keys; empty if it is no object of fields.
    private(set) var members: [WireMember<Value>] = []

    init(
        _ shape: FieldShape, write: @escaping @Sendable (Value) -> JSON,
        read: @escaping @Sendable (JSON) throws -> Value
    ) {
        (self.shape, self.write, self.read) = (shape, write, read)
    }

    /// The form of a value that is made of this one.
    ///
    /// - Parameter make: `nil` if no value can be made.
    func map<Other>(
        _ what: String, _ make: @escaping @Sendable (Value) -> Other?,
        back: @escaping @Sendable (Other) -> Value
    ) -> WireForm<Other> {
        WireForm<Other>(
            shape, write: { write(back($0)) }, read: { wire in try wire.expect(make(read(wire)), what) })
    }
}

/// A value that has one form wherever it stands.
protocol Wired {
    static var form: WireForm<Self> { get }
}

extension Wired {
    var wire: JSON { Self.form.write(self) }

    init(wire: JSON) throws { self = try Self.form.read(wire) }
}

/// A key of an object with what stands there; `nil` is left out.
struct WireMember<Root>: Sendable {
    let key: String
    let shape: FieldShape
    let isRequired: Bool
    let write: @Sendable (Root) -> JSON?
}

extension Array {
    /// The object whose members these are.
    func json<Root>(of root: Root) -> JSON where Element == WireMember<Root> {
        .members(
            compactMap { member in
                member.write(root).map { JSON.Object.Member(key: member.key, value: $0) }
            })
    }
}

/// A property of a value, with the key of the object that holds it.
struct WireField<Root, Value>: Sendable {
    fileprivate let members: [WireMember<Root>]
    fileprivate private(set) var read: @Sendable (JSON) throws -> Value
    private let path: any KeyPath<Root, Value> & Sendable

    init(_ key: String, _ path: any KeyPath<Root, Value> & Sendable, _ form: WireForm<Value>) {
        self.path = path
        members = [
            WireMember(key: key, shape: form.shape, isRequired: true) { form.write($0[keyPath: path]) }
        ]
        read = { try form.read($0.field(key)) }
    }

    /// A property that may be `nil`; its key is left out then.
    init<Wrapped>(
        optional key: String, _ path: any KeyPath<Root, Wrapped?> & Sendable, _ form: WireForm<Wrapped>
    ) where Value == Wrapped? {
        self.path = path
        members = [
            WireMember(key: key, shape: form.shape, isRequired: false) { $0[keyPath: path].map(form.write) }
        ]
        read = { try $0[key].map(form.read) }
    }

    /// A property whose key is left out where it has its usual value.
    init(
        _ key: String, unless usual: Value, _ path: any KeyPath<Root, Value> & Sendable,
        _ form: WireForm<Value>
    ) where Value: Equatable & Sendable {
        self.path = path
        members = [
            WireMember(key: key, shape: form.shape, isRequired: false) {
                $0[keyPath: path] == usual ? nil : form.write($0[keyPath: path])
            }
        ]
        read = { try $0[key].map(form.read) ?? usual }
    }

    /// A property whose key is always written, and may be missing in what earlier programs wrote.
    init(
        _ key: String, missing usual: Value, _ path: any KeyPath<Root, Value> & Sendable,
        _ form: WireForm<Value>
    ) where Value: Sendable {
        self.init(key, path, form)
        read = { try $0[key].map(form.read) ?? usual }
    }

    /// A property whose own members stand among those of the value.
    init(among path: any KeyPath<Root, Value> & Sendable, _ form: WireForm<Value>) {
        self.path = path
        members = form.members.map { member in
            WireMember(key: member.key, shape: member.shape, isRequired: member.isRequired) {
                member.write($0[keyPath: path])
            }
        }
        read = form.read
    }

    init(_ key: String, _ path: any KeyPath<Root, Value> & Sendable) where Value: Wired {
        self.init(key, path, Value.form)
    }

    init<Wrapped: Wired>(optional key: String, _ path: any KeyPath<Root, Wrapped?> & Sendable)
    where Value == Wrapped? {
        self.init(optional: key, path, Wrapped.form)
    }

    fileprivate var setting: WireSetting<Root> {
        WireSetting(members: members) { [path, read] root, wire in
            guard let path = path as? WritableKeyPath<Root, Value> else {
                preconditionFailure("\(path) cannot be set")
            }
            root[keyPath: path] = try read(wire)
        }
    }
}

/// A field that is set once a value is made.
struct WireSetting<Root>: Sendable {
    fileprivate let members: [WireMember<Root>]
    fileprivate let set: @Sendable (inout Root, JSON) throws -> Void
}

/// Lists fields that are set once a value is made.
@resultBuilder
enum WireSettings<Root> {
    static func buildExpression<Value>(_ field: WireField<Root, Value>) -> WireSetting<Root> {
        field.setting
    }
    static func buildBlock(_ settings: WireSetting<Root>...) -> [WireSetting<Root>] { settings }
}

extension WireForm {
    /// An object of fields.
    ///
    /// - Parameter make: the value with these properties.
    static func record<each Part>(
        _ make: @escaping @Sendable (repeat each Part) throws -> Value,
        _ fields: repeat WireField<Value, each Part>
    ) -> WireForm {
        let parts = (repeat each fields)
        var members: [WireMember<Value>] = []
        for part in repeat each parts { members += part.members }
        return WireForm(members) { wire in try make(repeat (each parts).read(wire)) }
    }

    /// Adds fields that are set once the value is made.
    func and(@WireSettings<Value> _ settings: () -> [WireSetting<Value>]) -> WireForm {
        let settings = settings()
        return WireForm(members + settings.flatMap(\.members)) { [read] wire in
            var value = try read(wire)
            for setting in settings { try setting.set(&value, wire) }
            return value
        }
    }

    /// Adds a member that is worked out from the others, and not read.
    func derived(
        _ key: String, _ shape: FieldShape, _ write: @escaping @Sendable (Value) -> JSON
    ) -> WireForm {
        WireForm(members + [WireMember(key: key, shape: shape, isRequired: true, write: write)], read: read)
    }

    /// Adds a member that is worked out from the others, not read, and left out where it is `nil`.
    func derived(
        _ key: String, optional shape: FieldShape, _ write: @escaping @Sendable (Value) -> JSON?
    ) -> WireForm {
        WireForm(members + [WireMember(key: key, shape: shape, isRequired: false, write: write)], read: read)
    }

    /// Refuses values that do not pass a check.
    func checking(_ check: @escaping @Sendable (Value, JSON) throws -> Void) -> WireForm {
        WireForm(members) { [read] wire in
            let value = try read(wire)
            try check(value, wire)
            return value
        }
    }

    private init(_ members: [WireMember<Value>], read: @escaping @Sendable (JSON) throws -> Value) {
        let ordered = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        shape = .members(members)
        write = { ordered.json(of: $0) }
        self.read = read
        self.members = ordered
    }
}

/// A case of an enum: its name alone, or its name with what belongs to it.
struct WireCase<Value>: Sendable {
    let name: String
    let shape: FieldShape?
    /// `nil` for another case.
    let write: @Sendable (Value) -> JSON?
    let read: @Sendable (JSON) throws -> Value

    init(_ name: String, _ value: Value) where Value: Equatable & Sendable {
        (self.name, shape) = (name, nil)
        write = { $0 == value ? .text(name) : nil }
        read = { _ in value }
    }

    init<Payload>(
        _ name: String, _ form: WireForm<Payload>, _ make: @escaping @Sendable (Payload) throws -> Value,
        _ payload: @escaping @Sendable (Value) -> Payload?
    ) {
        (self.name, shape) = (name, form.shape)
        write = { payload($0).map { .variant(name, form.write($0)) } }
        read = { try make(form.read($0)) }
    }
}

/// Lists the cases of an enum.
@resultBuilder
enum WireCases<Value> {
    static func buildExpression(_ one: WireCase<Value>) -> WireCase<Value> { one }
    static func buildBlock(_ cases: WireCase<Value>...) -> [WireCase<Value>] { cases }
}

extension WireForm {
    /// One of several cases.
    ///
    /// - Parameters:
    ///   - what: the value in words: `an event`.
    ///   - cases: all that there are.
    static func cases(_ what: String, @WireCases<Value> _ cases: () -> [WireCase<Value>]) -> WireForm {
        let cases = cases()
        let byName = Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0) })
        return WireForm(
            .cases(byName.mapValues(\.shape)),
            write: { value in
                for one in cases { if let wire = one.write(value) { return wire } }
                preconditionFailure("\(what) has no form: \(value)")
            },
            read: { wire in
                let (name, payload) = try wire.asVariant()
                return try wire.expect(byName[name], what).read(payload)
            })
    }

    static func list<Item>(_ item: WireForm<Item>) -> WireForm where Value == [Item] {
        WireForm(
            .list(item.shape), write: { .list($0.map(item.write)) }, read: { try $0.asList(item.read) })
    }

    static func list<Item: Wired>() -> WireForm where Value == [Item] { .list(Item.form) }

    /// Whatever the names are.
    static func named<Item>(_ item: WireForm<Item>) -> WireForm where Value == [String: Item] {
        WireForm(
            .named(item.shape), write: { .dictionary($0, item.write) },
            read: { try $0.asDictionary(item.read) })
    }

    /// One of the words of an enum.
    ///
    /// - Parameter what: the value in words: `a kind of mark`.
    static func word(_ what: String) -> WireForm
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        WireForm(
            .words(Value.self), write: { .text($0.rawValue) },
            read: { try $0.expect(Value(rawValue: $0.asText()), what) })
    }
}
