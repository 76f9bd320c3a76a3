/// A page as a strict reader of HTML sees it: every element is closed where it was opened, attributes are quoted, and
/// names of places are given once.
struct WellFormedPage {
    struct Element {
        var name: String
        var attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var problems: [String] = []
    private var open: [String] = []

    private static let empty: Set = ["meta", "wbr", "br"]
    /// What a paragraph ends at, whether or not it was closed.
    private static let blocks: Set = [
        "p", "ul", "ol", "dl", "div", "section", "figure", "table", "h2", "h3", "h4",
    ]

    init(_ page: String) {
        let start = Array("<!DOCTYPE html>\n".utf8)
        var rest = Array(page.utf8)[...]
        guard rest.starts(with: start) else {
            problems.append("no document type")
            return
        }
        rest = rest.dropFirst(start.count)
        while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
            // The style is the page's own, and holds no text.
            if open.last != "style" { readText(rest[..<place]) }
            guard let end = rest[place...].firstIndex(of: UInt8(ascii: ">")) else {
                problems.append("an element that does not end")
                return
            }
            readTag(String(decoding: rest[(place + 1)..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        if !open.isEmpty { problems.append("never closed: \(open)") }
        let places = elements.compactMap { $0.attributes["id"] }
        if Set(places).count < places.count { problems.append("a place has two names") }
        for link in elements.compactMap({ $0.attributes["href"] })
        where !places.contains(String(link.dropFirst())) {
            problems.append("a link to nowhere: \(link)")
        }
    }

    private mutating func readText(_ text: ArraySlice<UInt8>) {
        if text.contains(UInt8(ascii: ">")) { problems.append("a bare > in the text") }
        for (place, byte) in zip(text.indices, text) where byte == UInt8(ascii: "&") {
            let name = text[place...].dropFirst().prefix(5)
            if !["amp;", "lt;", "gt;", "quot;"].contains(where: { name.starts(with: $0.utf8) }) {
                problems.append("a bare & in the text")
            }
        }
    }

    private mutating func readTag(_ tag: String) {
        if tag.hasPrefix("/") {
            if open.popLast() != String(tag.dropFirst()) {
                problems.append("<\(tag)> closes what is not open")
            }
            return
        }
        let isClosed = tag.hasSuffix("/")
        // Outside of quotes and inside of them, in turn.
        let parts = (isClosed ? tag.dropLast() : tag[...]).split(
            separator: "\"", omittingEmptySubsequences: false)
        let words = parts[0].split(separator: " ")
        let name = String(words.first ?? "")
        var attributes: [String: String] = [:]
        for (place, part) in parts.enumerated() where place % 2 == 0 {
            let names = place == 0 ? Array(words.dropFirst()) : part.split(separator: " ")
            let isLast = place == parts.count - 1
            let isClear = isLast ? names.isEmpty : names.count == 1 && names[0].hasSuffix("=")
            guard isClear else {
                problems.append("unclear attributes: \(tag)")
                return
            }
            for given in names {
                let known = attributes.updateValue(String(parts[place + 1]), forKey: String(given.dropLast()))
                if known != nil { problems.append("\(name) has \(given) twice") }
            }
        }
        if open.last == "p", Self.blocks.contains(name) { problems.append("\(name) in a paragraph") }
        elements.append(Element(name: name, attributes: attributes))
        if !isClosed, !Self.empty.contains(name) { open.append(name) }
    }
}
