package import TextFormat

/// Results in another form, in which all other keys stay.
package struct ResultRewriting {
    /// Whether an entry of a step's results is a recorder's file.
    package static func isFile(_ entry: JSON) -> Bool { entry["_class"]?.text == "ORKFileResult" }

    /// Whether an entry of a step's results is a file of sound.
    package static func isSound(_ entry: JSON) -> Bool {
        isFile(entry) && entry["contentType"]?.text?.hasPrefix("audio/") == true
    }

    /// A result in the form of ResearchKit 1 and 2, in which files have an address instead of a name.
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
