/// A text with its translation, as a PO file of GNU gettext holds it.
package struct Message: Hashable, Sendable {
    /// What translators noted, without the signs of a comment.
    package var notes: [String] = []
    /// What the program says to translators.
    package var remarks: [String] = []
    /// Where the text stands: files with lines.
    package var places: [String] = []
    /// Such as `fuzzy`.
    package var flags: [String] = []
    /// The text that the translation was made for, if it has changed since.
    package var previousContext: String?
    package var previousText: String?
    /// Where the text stands in the study; `nil` if the file does not say.
    package var context: String?
    /// The text to translate.
    package var text: String
    /// The translation; empty if there is none yet.
    package var translation: String
    /// Whether the study no longer has the text.
    package var isObsolete = false
    /// The line of the file where the message begins, from 1; 0 if it comes from no file.
    package var line = 0

    package init(text: String, translation: String, context: String? = nil) {
        (self.text, self.translation, self.context) = (text, translation, context)
    }

    /// Whether somebody must look at the translation before it is used.
    package var isFuzzy: Bool {
        get { flags.contains("fuzzy") }
        set {
            flags.removeAll { $0 == "fuzzy" }
            if newValue { flags.insert("fuzzy", at: 0) } else { (previousContext, previousText) = (nil, nil) }
        }
    }
}

/// A PO file of GNU gettext: the texts of a study in one other language.
package struct MessageFile: Hashable, Sendable {
    /// What stands before the header.
    package var notes: [String] = []
    /// The header's fields, in their order.
    package var fields: [Field] = []
    package var messages: [Message] = []

    /// A field of the header.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package init() {}

    /// The value of a field of the header; setting it keeps the field's place.
    package subscript(field: String) -> String? {
        get { fields.first { $0.name.lowercased() == field.lowercased() }?.value }
        set {
            let place = fields.firstIndex { $0.name.lowercased() == field.lowercased() }
            switch (place, newValue) {
            case (let place?, let value?): fields[place].value = value
            case (let place?, nil): fields.remove(at: place)
            case (nil, let value?): fields.append(Field(name: field, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The file, in UTF-8.
    package var encoded: [UInt8] {
        var lines = notes.map { $0.isEmpty ? "#" : "# \($0)" }
        lines += ["msgid \"\"", "msgstr \"\""]
        lines += fields.map { Self.quoted("\($0.name): \($0.value)\n") }
        for message in messages { lines += [""] + Self.lines(of: message) }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func lines(of message: Message) -> [String] {
        var lines = message.notes.map { $0.isEmpty ? "#" : "# \($0)" }
        lines += message.remarks.map { "#. \($0)" }
        lines += message.places.map { "#: \($0)" }
        if !message.flags.isEmpty { lines.append("#, " + message.flags.joined(separator: ", ")) }
        let mark = message.isObsolete ? "#~ " : ""
        let before = message.isObsolete ? "#~| " : "#| "
        lines += words("msgctxt", message.previousContext, before)
        lines += words("msgid", message.previousText, before)
        lines += words("msgctxt", message.context, mark)
        return lines + words("msgid", message.text, mark) + words("msgstr", message.translation, mark)
    }

    /// A text with its keyword. A text of several lines has one for each.
    private static func words(_ keyword: String, _ text: String?, _ mark: String) -> [String] {
        guard let text else { return [] }
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return ["\(mark)\(keyword) \(quoted(text))"] }
        var lines = parts.dropLast().map { quoted($0 + "\n") }
        if let last = parts.last, !last.isEmpty { lines.append(quoted(String(last))) }
        return (["\(keyword) \"\""] + lines).map { mark + $0 }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
