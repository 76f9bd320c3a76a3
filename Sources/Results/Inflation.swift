import CZlib

/// Unpacks gzip, or a deflated file in a zip archive, a block at a time.
@safe package final class Inflation {
    /// The wrapping of the packed bytes.
    package enum Wrapping {
        case gzip
        /// None, as in a zip archive, whose directory contains the checksum.
        case none(checksum: UInt32)

        fileprivate var windowBits: Int32 {
            switch self {
            case .gzip: 15 + 16
            case .none: -15
            }
        }
    }

    package enum Problem: Error {
        /// The packed bytes are invalid, or their checksum is wrong.
        case broken
        /// They unpack to so much that they must have been made to fill memory.
        case bomb
        /// Bytes that are not packed follow them.
        case junk
    }

    /// How much packed bytes may unpack to before their number is considered.
    package static let harmless = 64 << 20
    /// Beyond that, no real recording is packed to less than one part in this many.
    package static let highestRatio = 250

    // SAFETY: allocated once and freed at the end; zlib needs it to stay in its place.
    private let stream: UnsafeMutablePointer<z_stream>
    private let wrapping: Wrapping
    /// Packed bytes that have not been unpacked yet.
    private var waiting: [UInt8] = []
    private var packedCount = 0
    private var unpackedCount = 0
    private var checksum: UInt = 0
    /// Whether a part has ended, and no other has begun.
    private var isBetweenParts = false

    /// Whether the packed bytes may end here.
    package var isAtEnd: Bool { isBetweenParts && waiting.isEmpty }

    /// - Throws: if zlib lacks memory.
    package init(_ wrapping: Wrapping) throws(Problem) {
        self.wrapping = wrapping
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // SAFETY: zlib fills the stream that it is given, and keeps no pointer of ours beyond a call.
        let status = unsafe inflateInit2_(
            stream, wrapping.windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .broken }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    package func feed(_ block: [UInt8]) {
        waiting += block
        packedCount += block.count
    }

    /// The next unpacked bytes; empty if more packed bytes are needed, and at the end.
    ///
    /// - Parameter limit: how many at most.
    package func unpack(atMost limit: Int) throws(Problem) -> [UInt8] {
        while try beginPart() {
            let before = waiting.count
            let output = try inflated(limit)
            if !output.isEmpty || waiting.count == before { return output }
        }
        return []
    }

    /// Begins the next part, if one has ended: gzip may consist of several, with zeros as padding.
    ///
    /// - Returns: whether there are packed bytes.
    private func beginPart() throws(Problem) -> Bool {
        guard isBetweenParts else { return !waiting.isEmpty }
        guard case .gzip = wrapping else {
            waiting = []
            return false
        }
        waiting.removeFirst(waiting.prefix { $0 == 0 }.count)
        guard let first = waiting.first else { return false }
        guard first == 0x1F else { throw .junk }
        guard unsafe inflateReset(stream) == Z_OK else { throw .broken }
        isBetweenParts = false
        return true
    }

    private func inflated(_ limit: Int) throws(Problem) -> [UInt8] {
        var status = Z_OK
        var used = 0
        let output = unsafe waiting.withUnsafeMutableBufferPointer { source in
            // SAFETY: both buffers outlive the call, and zlib is told how long they are.
            unsafe [UInt8](unsafeUninitializedCapacity: limit) { target, count in
                unsafe stream.pointee.next_in = source.baseAddress
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(target.count)
                unsafe status = inflate(stream, Z_NO_FLUSH)
                unsafe used = source.count - Int(stream.pointee.avail_in)
                unsafe count = target.count - Int(stream.pointee.avail_out)
            }
        }
        waiting.removeFirst(used)
        unpackedCount += output.count
        if case .none = wrapping { unsafe checksum = crc32(checksum, output, UInt32(output.count)) }
        let usedCount = packedCount - waiting.count
        guard unpackedCount <= max(Self.harmless, Self.highestRatio * usedCount) else { throw .bomb }
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: try finishPart()
        default: throw .broken
        }
        return output
    }

    private func finishPart() throws(Problem) {
        if case .none(let told) = wrapping, UInt32(truncatingIfNeeded: checksum) != told { throw .broken }
        isBetweenParts = true
    }
}
