import Glibc
import Results

/// What the IANA database calls the machine's zone, such as `Europe/Paris`.
enum ZoneName {
    /// The value of `TZ`; `nil` if it is not set.
    static var variable: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

    /// Where `/etc/localtime` leads; `nil` if it is no link.
    static var link: String? { realPath("/etc/localtime") }

    /// - Parameters:
    ///   - offset: seconds east of UTC.
    ///   - abbreviation: what the C library calls the zone, such as `CET`.
    ///   - variable: the value of `TZ`, which goes before the link.
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
        // Those of the database count westwards.
        guard offset % 3600 == 0, (-14...12).contains(-offset / 3600) else { return abbreviation }
        return "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3600)"
    }

    private static let folder = "/usr/share/zoneinfo/"

    /// What comes after the folder of the database, or a bare name as it is.
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
