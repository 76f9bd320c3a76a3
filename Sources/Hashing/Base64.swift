import CNettle

extension [UInt8] {
    /// The bytes in Base64 (RFC 4648, section 4).
    package var base64: String {
        let count = (self.count + 2) / 3 * 4
        let text = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return }
                unsafe nettle_base64_encode_raw(start, self.count, self)
            }
            initialized = count
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` if the text is no Base64.
    package init?(base64 text: some StringProtocol) {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var context = unsafe base64_decode_ctx()
        unsafe nettle_base64_decode_init(&context)
        var isGood = false
        self = unsafe [UInt8](unsafeUninitializedCapacity: (characters.count + 1) * 6 / 8 + 1) {
            buffer, count in
            guard let start = buffer.baseAddress else { return }
            isGood =
                unsafe nettle_base64_decode_update(&context, &count, start, characters.count, characters) == 1
                && nettle_base64_decode_final(&context) == 1
            if !isGood { count = 0 }
        }
        guard isGood else { return nil }
    }
}
