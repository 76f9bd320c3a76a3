extension Kind<String> {
    /// The address of a server: `http://…` or `https://…`.
    static var webAddress: Kind {
        address(
            pattern: "^[hH][tT][tT][pP][sS]?://[!-~]+$", noun: "address of a server",
            help: "write http://… or https://…, without spaces"
        ) { text in
            let schemes = ["http://", "https://"]
            return schemes.contains { text.lowercased().hasPrefix($0) && text.utf8.count > $0.utf8.count }
                && text.utf8.allSatisfy { 0x21...0x7e ~= $0 } && text.lowercased() != "https://"
        }
    }

    /// The address of a Bluetooth device: `A0:9E:1A:2B:3C:4D`.
    static var deviceAddress: Kind {
        address(
            pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$", noun: "address of a device",
            help: "write six pairs of digits and letters, such as A0:9E:1A:2B:3C:4D"
        ) { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count == 6
                && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        }
    }

    private static func address(
        pattern: String, noun: String, help: String, isOne: @escaping @Sendable (String) -> Bool
    ) -> Kind {
        Kind(["type": "string", "pattern": .string(pattern), "maxLength": 1_000]) { node, reading in
            guard let text = Kind.text(atMost: 1_000).read(node, reading) else { return nil }
            if isOne(text) { return text }
            reading.report(
                .addressFormat, "'\(text.prefix(40))' is no \(noun)", at: node.range, help: help)
            return nil
        }
    }
}
