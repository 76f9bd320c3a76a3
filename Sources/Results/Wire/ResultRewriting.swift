package import TextFormat

/// Rewrites results and recorders' items, in which every key keeps its place.
///
/// What bears free words, dates or names is handed to the functions; everything else stays as it is.
package struct ResultRewriting {
    /// A member that is rewritten by its own rule.
    package enum Member {
        /// Words of the participant, or their name.
        case typedText
        /// A day that the participant told.
        case typedDate
        /// The name of a recorder's file.
        case fileName(String)
        /// Seconds since 1970-01-01T00:00:00Z.
        case moment(Double)
    }

    /// Whether an entry of a step's results is a recorder's file.
    package static func isFile(_ entry: JSON) -> Bool { entry["_class"]?.text == "ORKFileResult" }

    /// Whether an entry of a step's results is a file of sound.
    package static func isSound(_ entry: JSON) -> Bool {
        isFile(entry) && entry["contentType"]?.text?.hasPrefix("audio/") == true
    }

    /// What rule a member is rewritten by; `nil` where it is like all others.
    package static func rule(for member: JSON.Object.Member) -> Member? {
        switch (member.key, member.value) {
        case ("dateAnswer", _), ("signatureDate", _): .typedDate
        case ("textAnswer", _), ("givenName", _), ("familyName", _), ("detail", _): .typedText
        case ("fileName", .text(let name)): .fileName(name)
        case ("timestampSince1970", let value): value.number.map { .moment($0) }
        case (_, _): nil
        }
    }

    /// A result in the form of ResearchKit 1 and 2, whose files have an address instead of a name.
    package static func withAddresses(_ value: JSON, _ address: (String) -> String) -> JSON {
        switch value {
        case .list(let list): return .list(list.map { withAddresses($0, address) })
        case .object(let object):
            var members = Dictionary(
                uniqueKeysWithValues: object.members.map { ($0.key, withAddresses($0.value, address)) })
            if isFile(value), let name = object["fileName"]?.text {
                members["fileName"] = nil
                members["fileURL"] = .text(address(name))
            }
            return .members(members)
        case .null, .boolean, .integer, .real, .text: return value
        }
    }
}
