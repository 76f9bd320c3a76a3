extension JSON {
    /// Text that is not JSON.
    public struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// Index of the byte at which reading stopped.
        public var offset: Int
        /// What is wrong there.
        public var problem: String

        public var description: String { "\(problem) at byte \(offset)" }
    }

    /// Reads one value that fills `bytes`.
    ///
    /// - Parameter bytes: UTF-8 after RFC 8259, nested at most 64 deep, each key once per object.
    /// - Throws: `Malformed` at the first byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(Malformed) { try self.init(parsing: bytes, in: bytes.indices) }

    /// Reads one value that fills a range; offsets of errors count from its first byte.
    package init(parsing bytes: [UInt8], in range: Range<Int>) throws(Malformed) {
        var reader = JSONReader(bytes, in: range)
        self = try reader.document()
    }
}
