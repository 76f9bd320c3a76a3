import CZstd
import Platform
import Results

/// Compresses pieces one by one with Zstandard. It owns its context and frees it.
@safe final class Zstandard {
    private let context: OpaquePointer
    /// The library's own default.
    private static let level: Int32 = 3

    init() throws(FileFailure) {
        guard let context = unsafe ZSTD_createCCtx() else {
            throw FileFailure("compress", "a table", .malformed("there is no memory"))
        }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    func compressed(_ bytes: [UInt8]) throws(FileFailure) -> [UInt8] {
        var outcome = 0
        let target = unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) {
            buffer, count in
            unsafe bytes.withUnsafeBytes { source in
                outcome = unsafe ZSTD_compressCCtx(
                    context, buffer.baseAddress, buffer.count, source.baseAddress, source.count, Self.level)
            }
            count = ZSTD_isError(outcome) == 0 ? outcome : 0
        }
        guard ZSTD_isError(outcome) == 0 else {
            let name = unsafe String(cString: ZSTD_getErrorName(outcome))
            throw FileFailure("compress", "a table", .malformed("Zstandard says \(name)"))
        }
        return target
    }
}
