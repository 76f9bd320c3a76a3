import CExpat
import Glibc
import StudyModel
import TextFormat

/// The expat parser with its callbacks.
@safe struct XMLParser: ~Copyable {
    private let parser: OpaquePointer
    private let content: XMLContent

    init(_ content: XMLContent, of input: borrowing RecordedInput) throws(SourceFailure) {
        // The encoding that the file declares applies only to its original bytes.
        guard let parser = unsafe XML_ParserCreate(input.isTranscoded ? "UTF-8" : nil) else {
            throw SourceFailure("\(quoted(input.name)): not enough memory")
        }
        unsafe self.parser = parser
        self.content = content
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(content).toOpaque())
        switch content.form {
        case .appleHealth:
            unsafe XML_SetElementHandler(
                parser,
                { data, name, attributes in
                    guard let content = unsafe XMLParser.content(data) else { return }
                    content.depth += 1
                    guard let name = unsafe name, let attributes = unsafe attributes else { return }
                    if unsafe equal(name, "Record") {
                        content.take(unsafe HealthRecord(attributes))
                    } else if unsafe equal(name, "InstantaneousBeatsPerMinute") {
                        content.takeBeat(unsafe HealthRecord(attributes))
                    }
                },
                { data, _ in unsafe XMLParser.content(data)?.depth -= 1 })
        case .tcx, .gpx:
            unsafe XML_SetElementHandler(
                parser,
                { data, name, _ in
                    guard let name = unsafe name, let content = unsafe XMLParser.content(data) else { return }
                    content.depth += 1
                    content.open(unsafe String(cString: name).localName)
                },
                { data, name in
                    guard let name = unsafe name, let content = unsafe XMLParser.content(data) else { return }
                    content.depth -= 1
                    content.close(unsafe String(cString: name).localName)
                })
            unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
                guard let text = unsafe text, let content = unsafe XMLParser.content(data) else { return }
                guard content.point.part != .none else { return }
                content.add(
                    unsafe String(
                        decoding: UnsafeRawBufferPointer(start: text, count: Int(count)), as: UTF8.self))
            }
        }
    }

    deinit { unsafe XML_ParserFree(parser) }

    private static func content(_ data: UnsafeMutableRawPointer?) -> XMLContent? {
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<XMLContent>.fromOpaque(data).takeUnretainedValue()
    }

    /// - Parameter block: the next bytes; empty at the end.
    /// - Returns: what is wrong with the file and in which line, if anything.
    func parse(_ block: [UInt8]) -> String? {
        let status = unsafe block.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                block.isEmpty ? 1 : 0)
        }
        content.fed += block.count
        guard status == XML_STATUS_ERROR else { return excess }
        let code = unsafe XML_GetErrorCode(parser)
        let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error"
        return "line \(unsafe XML_GetCurrentLineNumber(parser)) is not XML (\(words))"
    }

    /// What would need more and more memory: the parser stores the names of all open elements, and a tag until its
    /// end.
    private var excess: String? {
        let line = unsafe XML_GetCurrentLineNumber(parser)
        if content.depth > Self.deepest {
            return "line \(line) is nested in more than \(Self.deepest) elements"
        }
        let start = unsafe XML_GetCurrentByteIndex(parser)
        guard start >= 0, content.fed - start > Self.longest else { return nil }
        return "line \(line) begins something longer than \(Self.longest >> 20) MiB"
    }

    /// How deep elements may nest; recordings have about ten levels.
    private static let deepest = 100
    /// Bytes of a tag.
    private static let longest = 4 << 20
}

/// Whether a C string is equal to a word.
func equal(_ text: UnsafePointer<CChar>, _ word: StaticString) -> Bool {
    unsafe strcmp(text, UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
}

extension String {
    /// The name without its namespace prefix.
    fileprivate var localName: Substring { split(separator: ":").last ?? "" }
}
