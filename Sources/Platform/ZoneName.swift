import Glibc

/// The IANA database's name for the machine's zone, such as `Europe/Paris`.
enum ZoneName {
    /// The value of `TZ`; `nil` if it is not set.
    static var variable: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

    /// Where `/etc/localtime` leads; `nil` if it is not a link.
    static var link: String? { realPath("/etc/localtime") }

    /// - Parameters:
    ///   - offset: seconds east of UTC.
    ///   - abbreviation: the C library's name for the zone, such as `CET`.
    ///   - variable: the value of `TZ`, which takes precedence over the link.
    ///   - link: where `/etc/localtime` leads.
    ///   - isKnown: whether the machine knows a zone of that name.
    /// - Returns: a name of the database; the abbreviation if there is none.
    static func of(
        offset: Int, abbreviation: String, variable: String?, link: String?,
        isKnown: (String) -> Bool = { unsafe access("\(folder)\($0)", R_OK) == 0 }
    ) -> String {
        if let name = (variable ?? link).map(Self.name), !name.isEmpty,
            !name.contains(".."), isKnown(name)
        {
            return name
        }
        if offset == 0 { return "UTC" }
        // The database counts these zones westwards.
        guard offset % 3600 == 0, (-14...12).contains(-offset / 3600) else { return abbreviation }
        return "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3600)"
    }

    private static let folder = "/usr/share/zoneinfo/"

    /// The part after the database's folder; a bare name is returned unchanged.
    private static func name(_ value: String) -> String {
        let path = value.hasPrefix(":") ? String(value.dropFirst()) : value
        guard let database = path.ranges(of: "zoneinfo/").last else { return path.hasPrefix("/") ? "" : path }
        let name = path[database.upperBound...]
        for variant in ["posix/", "right/"] where name.hasPrefix(variant) {
            return String(name.dropFirst(variant.count))
        }
        return String(name)
    }
}
