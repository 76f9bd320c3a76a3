/// Where some members of an object stand in the text; the range of a missing member is empty.
package struct JSONParts: Sendable {
    private var ranges: InlineArray<15, Range<Int>> = .init(repeating: 0..<0)

    package init() {}

    /// Walks past an object.
    ///
    /// - Parameters:
    ///   - names: the names of the members, at most fifteen together with those of `inner`.
    ///   - inner: a member that is itself an object; its members come after the others.
    package init(
        _ reader: inout JSONReader, names: [StaticString],
        inner: (name: StaticString, names: [StaticString])? = nil
    ) throws(JSON.Malformed) {
        try reader.enterObject()
        while let key = try reader.key() {
            if let inner, reader.matches(key, inner.name) {
                try reader.enterObject()
                while let key = try reader.key() {
                    keep(try reader.value(), at: key, of: inner.names, from: names.count, in: reader)
                }
            } else {
                keep(try reader.value(), at: key, of: names, from: 0, in: reader)
            }
        }
    }

    private mutating func keep(
        _ part: Range<Int>, at key: Range<Int>, of names: [StaticString], from first: Int,
        in reader: JSONReader
    ) {
        for place in names.indices where reader.matches(key, names[place]) {
            ranges[first + place] = part
            return
        }
    }

    /// - Parameter place: the place of the member's name.
    package subscript(place: Int) -> Range<Int> { ranges[place] }
}
