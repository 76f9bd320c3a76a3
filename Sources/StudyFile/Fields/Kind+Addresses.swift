import TextFormat

extension Kind<String> {
    /// The address of a server: `http://…` or `https://…`.
    static var webAddress: Kind {
        text(
            "address that begins with http:// or https://", like: "^[hH][tT][tT][pP][sS]?://[!-~]+$",
            else: .addressFormat, "is not the address of a server",
            quoting: 40, help: "write http://… or https://…, without spaces"
        ) { $0.isWebAddress }
    }

    /// The address of a Bluetooth device: `A0:9E:1A:2B:3C:4D`.
    static var deviceAddress: Kind {
        text(
            "address such as A0:9E:1A:2B:3C:4D", like: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$",
            else: .addressFormat,
            "is not the address of a device",
            quoting: 40, help: "write six pairs of digits and letters, such as A0:9E:1A:2B:3C:4D"
        ) { $0.isDeviceAddress }
    }

    /// The path of a device: absolute, such as `/dev/video0` or `/dev/v4l/by-id/…`.
    static var devicePath: Kind {
        text(
            "path below /dev", like: "^/dev/[^/]", else: .wrongType, "is not the name of a device",
            help: "devices are named like /dev/video0; for a video write 'file: …'"
        ) { path in
            path.hasPrefix("/dev/") && path.utf8.count > 5 && !path.hasPrefix("/dev//")
        }
    }

    /// A path relative to the file that contains it.
    static var path: Kind {
        text(
            "path", like: "^[^/\\\\~][^\\\\]*$", else: .outsideLibrary, "is not a relative path",
            help: "write the path from the folder of this file, with '/', such as ../Media/clips.yaml"
        ) { path in
            !path.hasPrefix("/") && !path.hasPrefix("~") && !path.contains("\\")
        }
    }

    /// A text of at most 1,000 characters whose form a pattern describes and `isOne` checks.
    private static func text(
        _ words: String, like pattern: String, else code: DiagnosticCode, _ fault: String,
        quoting length: Int = 80,
        help: Help,
        isOne: @escaping @Sendable (String) -> Bool
    ) -> Kind {
        let schema: JSON = [
            "$comment": .text(words), "type": "string", "pattern": .text(pattern), "maxLength": 1_000,
        ]
        return Kind(schema) { node, reading in
            guard let text = Kind.text(atMost: 1_000).read(node, reading) else { return nil }
            if isOne(text) && !text.contains("\0") { return text }
            reading.report(code, "'\(text.prefix(length))' \(fault)", at: node.range, help: help)
            return nil
        }
    }
}

extension String {
    /// Whether it is the address of a server.
    var isWebAddress: Bool {
        let scheme = ["http://", "https://"].first { lowercased().hasPrefix($0) }
        return scheme.map { utf8.count > $0.utf8.count } == true && utf8.allSatisfy { 0x21...0x7e ~= $0 }
    }

    /// Whether it is the address of a Bluetooth device.
    var isDeviceAddress: Bool {
        let parts = split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6
            && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
