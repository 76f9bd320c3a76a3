import CZlib
package import Platform

/// Packs bytes with gzip, piece by piece, without a name and a time, so that the same bytes always give the same
/// result.
@safe package final class Deflation {
    // SAFETY: allocated once and freed at the end; zlib needs it to stay in its place.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: 0 (stored) … 9 (smallest).
    package init(level: Int) throws(FileFailure) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let windowWithGzipHeader: Int32 = 15 + 16
        // SAFETY: zlib fills the stream that it is given, and keeps no pointer of ours beyond a call.
        let status = unsafe deflateInit2_(
            stream, Int32(level), Z_DEFLATED, windowWithGzipHeader, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw Self.failure(status) }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// - Returns: the packed bytes that are complete so far; more follow.
    package func pack(_ bytes: [UInt8]) throws(FileFailure) -> [UInt8] { try turn(bytes, Z_NO_FLUSH) }

    /// - Returns: the last packed bytes. Nothing may be packed after it.
    package func finish() throws(FileFailure) -> [UInt8] { try turn([], Z_FINISH) }

    /// The whole of `bytes`, packed.
    package static func packed(_ bytes: [UInt8], level: Int) throws(FileFailure) -> [UInt8] {
        let deflation = try Deflation(level: level)
        return try deflation.pack(bytes) + deflation.finish()
    }

    private func turn(_ bytes: [UInt8], _ flush: Int32) throws(FileFailure) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        var status = Z_OK
        unsafe input.withUnsafeMutableBufferPointer { source in
            // SAFETY: both buffers outlive the calls, and zlib is told how long they are.
            unsafe stream.pointee.next_in = source.baseAddress
            unsafe stream.pointee.avail_in = UInt32(source.count)
            var isFull = true
            while isFull {
                output += unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { target, count in
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(target.count)
                    unsafe status = deflate(stream, flush)
                    unsafe count = target.count - Int(stream.pointee.avail_out)
                    unsafe isFull = stream.pointee.avail_out == 0
                }
            }
        }
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw Self.failure(status)
        }
        return output
    }

    private static func failure(_ status: Int32) -> FileFailure {
        FileFailure("compress", "a recording", .malformed("zlib says \(status)"))
    }
}
