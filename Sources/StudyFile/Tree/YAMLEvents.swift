import CLibYAML

/// One step of libyaml through a text, with its place as positions in Unicode scalars from 0.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(text: String, style: Node.Style)
        case alias(String)
        case sequenceStart
        case mappingStart
        case collectionEnd
        /// An event that needs no attention: the stream's start, or the end of a document.
        case other
        case streamEnd
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// The anchor that is set here, without `&`.
    var anchor: String?
    var hasTag = false
    var isFlow = false
}

/// Where and why libyaml failed. Positions are in Unicode scalars from 0.
struct YAMLFailure: Error {
    var problem: String
    var problemPosition: Int
    var context: String?
    var contextPosition: Int?
}

/// Reads events from a text. Only this file touches libyaml's memory.
@safe struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter text: valid text without control characters; it is copied.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe input = .allocate(capacity: max(bytes.count, 1))
        _ = unsafe input.initialize(from: bytes)
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            preconditionFailure("no memory for libyaml's parser")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event; must not be called after `streamEnd` or a failure.
    mutating func next() throws(YAMLFailure) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe YAMLEvent(event)
    }

    private var failure: YAMLFailure {
        let state = unsafe parser.pointee
        let context = unsafe state.context.map { unsafe String(cString: $0) }
        let problem = unsafe state.problem.map { unsafe String(cString: $0) }
        return unsafe YAMLFailure(
            problem: problem ?? "this is not YAML",
            problemPosition: unsafe problem == nil ? state.mark.index : state.problem_mark.index,
            context: context, contextPosition: context == nil ? nil : state.context_mark.index)
    }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t) {
        start = unsafe event.start_mark.index
        end = unsafe event.end_mark.index
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = unsafe .scalar(
                text: String(decoding: bytes, as: UTF8.self), style: Node.Style(scalar.style))
            anchor = unsafe Self.text(scalar.anchor)
            hasTag = unsafe scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            let sequence = unsafe event.data.sequence_start
            kind = .sequenceStart
            anchor = unsafe Self.text(sequence.anchor)
            hasTag = unsafe sequence.tag != nil
            isFlow = unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE
        case YAML_MAPPING_START_EVENT:
            let mapping = unsafe event.data.mapping_start
            kind = .mappingStart
            anchor = unsafe Self.text(mapping.anchor)
            hasTag = unsafe mapping.tag != nil
            isFlow = unsafe mapping.style == YAML_FLOW_MAPPING_STYLE
        case YAML_ALIAS_EVENT: kind = unsafe .alias(String(cString: event.data.alias.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_STREAM_END_EVENT: kind = .streamEnd
        default: kind = .other
        }
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe characters.map { unsafe String(cString: $0) }
    }
}

extension Node.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .quoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: self = .block
        default: self = .plain
        }
    }
}
