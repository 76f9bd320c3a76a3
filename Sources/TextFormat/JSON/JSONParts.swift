/// Where some members of an object stand; an empty range where a member is missing.
package struct JSONParts: Sendable {
    private var ranges: InlineArray<11, Range<Int>> = .init(repeating: 0..<0)

    package init() {}

    /// Passes an object.
    ///
    /// - Parameters:
    ///   - names: of the members, with those of `inner` at most eleven.
    ///   - inner: a member that is an object, whose own members are wanted behind the others.
    package init(
        _ reader: inout JSONReader, names: [StaticString],
        inner: (name: StaticString, names: [StaticString])? = nil
    ) throws(JSON.Malformed) {
        try reader.enterObject()
        while let key = try reader.key() {
            if let inner, reader.matches(key, inner.name) {
                try reader.enterObject()
                while let key = try reader.key() {
                    take(try reader.value(), at: key, of: inner.names, from: names.count, in: reader)
                }
            } else {
                take(try reader.value(), at: key, of: names, from: 0, in: reader)
            }
        }
    }

    private mutating func take(
        _ part: Range<Int>, at key: Range<Int>, of names: [StaticString], from first: Int,
        in reader: JSONReader
    ) {
        for place in names.indices where reader.matches(key, names[place]) {
            ranges[first + place] = part
            return
        }
    }

    /// - Parameter place: of the member's name.
    package subscript(place: Int) -> Range<Int> { ranges[place] }
}
