extension [UInt8] {
    /// The number in little-endian order at an index; there must be enough bytes.
    func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) {
            $0 | Number(truncatingIfNeeded: self[place + $1]) << Number(8 * $1)
        }
    }
}
