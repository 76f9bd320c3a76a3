/// How long a function, an initializer or a computed property is, and how many parameters it has.
struct FunctionShape: Hashable, CustomStringConvertible {
    /// The declaration's first line, from 1.
    var line: Int
    /// `init` for an initializer.
    var name: String
    /// From the declaration's first line to its closing brace.
    var lineCount: Int
    var parameterCount: Int

    var description: String { "\(name), line \(line): \(lineCount) lines, \(parameterCount) parameters" }

    /// Every declaration of a source text that has a body.
    static func all(in text: String) -> [FunctionShape] {
        var reader = ShapeReader(code: codeAlone(text))
        return reader.shapes()
    }
}

/// Finds declarations by their words, parentheses and braces.
private struct ShapeReader {
    let code: [UInt8]
    private var position = 0
    private var line = 1

    init(code: [UInt8]) { self.code = code }

    mutating func shapes() -> [FunctionShape] {
        var shapes: [FunctionShape] = []
        while let word = nextWord() {
            let isMember = word.start > 0 && code[word.start - 1] == UInt8(ascii: ".")
            switch word.text {
            case "func", "init", "subscript":
                guard !isMember else { continue }
                let name = word.text == "func" ? self.word(from: position) : word.text
                guard let list = index(of: "(", from: position), let end = end(of: list),
                    let body = body(after: end)
                else { continue }
                shapes.append(
                    FunctionShape(
                        line: line, name: name, lineCount: lineCount(word.start, body),
                        parameterCount: parameterCount(list, end)))
            case "var":
                let rest = code[position...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "=") }
                guard let open = rest.firstIndex(of: UInt8(ascii: "{")), let end = end(of: open) else {
                    continue
                }
                shapes.append(
                    FunctionShape(
                        line: line, name: self.word(from: position), lineCount: lineCount(word.start, end),
                        parameterCount: 0))
            default: break
            }
        }
        return shapes
    }

    private mutating func nextWord() -> (start: Int, text: String)? {
        while position < code.count, !code[position].isPartOfName {
            if code[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        guard position < code.count else { return nil }
        let start = position
        while position < code.count, code[position].isPartOfName { position += 1 }
        return (start, String(decoding: code[start..<position], as: UTF8.self))
    }

    private func word(from start: Int) -> String {
        let text = code[start...].drop { !$0.isPartOfName }.prefix(while: \.isPartOfName)
        return String(decoding: text, as: UTF8.self)
    }

    private func index(of sign: Unicode.Scalar, from start: Int) -> Int? {
        code[start...].firstIndex(of: UInt8(ascii: sign))
    }

    /// The place of what closes the bracket at `open`.
    private func end(of open: Int) -> Int? {
        var depth = 0
        for index in open..<code.count {
            switch Unicode.Scalar(code[index]) {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: continue
            }
            if depth == 0 { return index }
        }
        return nil
    }

    /// The closing brace of the body behind a parameter list; `nil` for a requirement of a protocol.
    private func body(after list: Int) -> Int? {
        guard let open = code[list...].firstIndex(where: { "{}".utf8.contains($0) }) else { return nil }
        let words = code[list..<open].split { !$0.isPartOfName }.map { String(decoding: $0, as: UTF8.self) }
        let others: Set = [
            "func", "init", "var", "static", "mutating", "package", "private", "associatedtype",
        ]
        return code[open] == UInt8(ascii: "{") && others.isDisjoint(with: words) ? end(of: open) : nil
    }

    private func lineCount(_ start: Int, _ end: Int) -> Int {
        1 + code[start...end].count { $0 == UInt8(ascii: "\n") }
    }

    /// Counts what stands between the commas of a list, except those within brackets of any kind.
    private func parameterCount(_ open: Int, _ close: Int) -> Int {
        var (depth, count, isEmpty) = (0, 0, true)
        for index in (open + 1)..<close {
            let byte = code[index]
            let isArrow = byte == UInt8(ascii: ">") && code[index - 1] == UInt8(ascii: "-")
            if "([{<".utf8.contains(byte) { depth += 1 }
            if ")]}>".utf8.contains(byte), !isArrow { depth -= 1 }
            if byte == UInt8(ascii: ","), depth == 0 {
                isEmpty = true
            } else if isEmpty, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") {
                isEmpty = false
                count += 1
            }
        }
        return count
    }
}

/// The text with spaces in the place of comments and of what is in strings; line feeds stay.
private func codeAlone(_ text: String) -> [UInt8] {
    enum Context { case code(depth: Int), string(quotes: Int, hashes: Int) }
    let bytes = Array(text.utf8)
    func count(of sign: Unicode.Scalar, at start: Int) -> Int {
        bytes[min(start, bytes.count)...].prefix { $0 == UInt8(ascii: sign) }.count
    }
    var result: [UInt8] = []
    var stack = [Context.code(depth: 0)]
    func blank(_ count: Int) {
        for byte in bytes[result.count...].prefix(count) {
            result.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
    }
    while let context = stack.last, result.count < bytes.count {
        let place = result.count
        let sign = Unicode.Scalar(bytes[place])
        switch (context, sign) {
        case (.code, "/") where count(of: "/", at: place) > 1:
            blank(bytes[place...].prefix { $0 != UInt8(ascii: "\n") }.count)
        case (.code, "\""..."#") where count(of: "\"", at: place + count(of: "#", at: place)) > 0:
            let hashes = count(of: "#", at: place)
            let quotes = count(of: "\"", at: place + hashes) >= 3 ? 3 : 1
            stack.append(.string(quotes: quotes, hashes: hashes))
            blank(hashes + quotes)
        case (.code(let depth), _):
            // Code within a string is blank as well: its brackets are closed there.
            if stack.count > 1 { blank(1) } else { result.append(bytes[place]) }
            if sign == "(" { stack[stack.count - 1] = .code(depth: depth + 1) }
            if sign == ")" { stack[stack.count - 1] = .code(depth: depth - 1) }
            if sign == ")", depth == 1, stack.count > 1 { stack.removeLast() }
        case (.string(_, let hashes), "\\") where count(of: "#", at: place + 1) >= hashes:
            let isInterpolation = count(of: "(", at: place + 1 + hashes) > 0
            if isInterpolation { stack.append(.code(depth: 0)) }
            blank(isInterpolation ? 1 + hashes : 2 + hashes)
        case (.string(let quotes, let hashes), "\"")
        where count(of: "\"", at: place) >= quotes && count(of: "#", at: place + quotes) >= hashes:
            stack.removeLast()
            blank(quotes + hashes)
        case (.string, _): blank(1)
        }
    }
    return result
}
