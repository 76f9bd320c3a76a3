import CZlib
import Datasets
import Results

/// gzip by zlib, without a name and a time, so that the same bytes always give the same result.
enum Gzip {
    /// - Parameter level: 0 (stored) … 9 (smallest).
    static func compressed(_ bytes: [UInt8], level: Int) throws(BundleFailure) -> [UInt8] {
        var stream = unsafe z_stream()
        let windowWithGzipHeader: Int32 = 15 + 16
        var status = unsafe deflateInit2_(
            &stream, Int32(level), Z_DEFLATED, windowWithGzipHeader, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw BundleFailure("compress", "a recording", .malformed("zlib says \(status)"))
        }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        let output = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                unsafe status = deflate(&stream, Z_FINISH)
                unsafe count = target.count - Int(stream.avail_out)
            }
        }
        guard status == Z_STREAM_END else {
            throw BundleFailure("compress", "a recording", .malformed("zlib says \(status)"))
        }
        return output
    }
}
