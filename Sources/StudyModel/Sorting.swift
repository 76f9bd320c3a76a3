extension Sequence {
    /// The elements in ascending order of a key; equal ones keep their order.
    package func sorted(on key: (Element) -> some Comparable) -> [Element] {
        sorted { key($0) < key($1) }
    }
}
