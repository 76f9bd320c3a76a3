import StudyModel

/// Builds the tree of a file from libyaml's events.
///
/// Aliases share the storage of their targets, but count in full. So a file that would grow beyond the limits is
/// refused before it grows.
struct TreeBuilder {
    /// The tree; `nil` if the file is empty or cannot be read at all.
    private(set) var root: Node?
    private(set) var diagnostics: [Diagnostic] = []
    /// The completely read parts, if reading ended early and `root` lacks the rest; `nil` if nothing is missing.
    private(set) var wholeParts: WholeParts?

    /// The parts that other programs would read differently.
    private(set) var portability: Portability

    private let source: SourceText
    private var open: [Collection] = []
    private var anchors: [String: Node?] = [:]
    private var anchorCount = 0
    private var nodeCount = 0
    private var documentCount = 0
    private var lastQuoted: Range<Int>?

    /// A list or mapping whose end has not come yet.
    private struct Collection {
        var isMapping: Bool
        var isFlow: Bool
        var start: Int
        var anchor: String?
        var children: [Node] = []
    }

    /// Reading the file ends here, and the diagnostic says why.
    private struct Refusal: Error {
        var diagnostic: Diagnostic
        /// Whether the part before may be read; it may not if the file is too large.
        var hasReadablePart: Bool
    }

    /// - Parameter text: the same text as that of `source`.
    init(_ text: String, _ source: SourceText) {
        self.init(source)
        do {
            try read(text, before: nil)
            if root?.isNull != false {
                try refuse(
                    .emptyFile, "the file is empty", 0..<0,
                    help: "write its keys, or begin with the file that 'entrain init' writes")
            }
        } catch {
            guard error.hasReadablePart else {
                root = nil
                diagnostics.append(error.diagnostic)
                return
            }
            self = TreeBuilder(part: text, source, before: error.diagnostic)
        }
    }

    private init(_ source: SourceText) {
        self.source = source
        portability = Portability(source)
    }

    /// The content of the lines before the one where reading ended.
    private init(part text: String, _ source: SourceText, before end: Diagnostic) {
        self.init(source)
        let limit = source.positions(ofLine: end.range.start.line).lowerBound
        do throws(Refusal) { try read(text, before: limit) } catch { open = [] }
        wholeParts = WholeParts(open.flatMap { $0.children.filter { $0.depth > 1 }.map(\.range) })
        while !open.isEmpty { close(at: limit) }
        diagnostics.append(end)
    }

    /// - Parameter limit: where to stop: at the first event that reaches beyond it.
    private mutating func read(_ text: String, before limit: Int?) throws(Refusal) {
        var events = YAMLEvents(text)
        var isOver = false
        while !isOver {
            let event: YAMLEvent
            do throws(YAMLFailure) { event = try events.next() } catch {
                let problem = SyntaxProblem(
                    error, source, lastQuoted: lastQuoted, openBracket: open.last(where: \.isFlow)?.start
                ).diagnostic
                throw Refusal(diagnostic: problem, hasReadablePart: true)
            }
            if let limit, event.start >= limit || event.end > limit { return }
            isOver = try handle(event)
        }
    }

    /// - Returns: whether that was the last event.
    private mutating func handle(_ event: YAMLEvent) throws(Refusal) -> Bool {
        let place = event.start..<max(event.start, event.end)
        if event.hasTag {
            try refuse(
                .tag, "tags such as '!!str' mean nothing here", place,
                help: source.help(forTag: place.lowerBound))
        }
        switch event.kind {
        case .documentStart: try beginDocument(place)
        case .scalar(let text, let style):
            if style == .quoted { lastQuoted = place }
            try count(1, depth: 1, at: place)
            portability.check(
                scalar: text, style, at: place, in: blockStart)
            let node = Node(content: .scalar(text, style), range: range(place))
            try remember(node, as: event.anchor, at: place)
            add(node)
        case .alias(let name): add(try follow(name, at: place))
        case .sequenceStart, .mappingStart:
            try count(1, depth: 1, at: place)
            var isMapping = false
            if case .mappingStart = event.kind { isMapping = true }
            try remember(nil, as: event.anchor, at: place)
            open.append(
                Collection(
                    isMapping: isMapping, isFlow: event.isFlow, start: event.start, anchor: event.anchor))
        case .collectionEnd: close(at: event.end)
        case .other: break
        case .streamEnd:
            portability.checkCharacters()
            return true
        }
        return false
    }

    private mutating func beginDocument(_ place: Range<Int>) throws(Refusal) {
        documentCount += 1
        guard documentCount > 1 else { return }
        try refuse(
            .severalDocuments, "a second YAML document begins here", place,
            help: "keep one study per file, and leave out the line '---'")
    }

    private mutating func count(_ nodes: Int, depth: Int, at place: Range<Int>) throws(Refusal) {
        nodeCount += nodes
        if nodeCount > TreeLimits.nodes {
            try refuse(
                .tooManyNodes,
                "here the file exceeds \(TreeLimits.nodes) keys, values and lists, counting those that aliases repeat",
                place,
                help:
                    "write steps that are alike once, in a block with 'forEach' and a table under 'conditions', which may be a CSV file; about \(TreeLimits.nodes / 15) steps can be written one by one"
            )
        }
        if open.count + depth > TreeLimits.depth {
            try refuse(.tooDeep, "this is more than \(TreeLimits.depth) levels deep", place)
        }
    }

    private mutating func remember(_ node: Node?, as anchor: String?, at place: Range<Int>) throws(Refusal) {
        guard let anchor else { return }
        anchorCount += 1
        if anchorCount > TreeLimits.anchors {
            try refuse(.tooManyAnchors, "this is one anchor more than \(TreeLimits.anchors)", place)
        }
        anchors[anchor] = .some(node)
    }

    private mutating func follow(_ name: String, at place: Range<Int>) throws(Refusal) -> Node {
        switch anchors[name] {
        case .some(.some(let node)):
            try count(node.count, depth: node.depth, at: place)
            return node
        case .some(.none):
            try refuse(
                .unknownAnchor, "this alias is inside its own anchor '&\(name)'", place,
                help: "an alias repeats a value that is complete before it")
        case .none:
            try refuse(
                .unknownAnchor, "there is no anchor '&\(name)' before this alias", place,
                help: Suggestion.nearest(to: name, among: anchors.keys.sorted())
                    .map { Help("did you mean '*\($0)'?") }
                    ?? source.help(forAlias: name, at: place.lowerBound))
        }
    }

    private mutating func add(_ node: Node) {
        if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
    }

    private mutating func close(at end: Int) {
        guard let collection = open.popLast() else { preconditionFailure("libyaml closed what was not open") }
        var node = Node(content: .sequence(collection.children), range: range(collection.start..<end))
        if collection.isFlow { portability.check(lines: collection.start..<end, in: blockStart) }
        if !collection.isFlow, let last = collection.children.last {
            node.range.end = max(last.range.end, node.range.start)
        }
        if collection.isMapping {
            node.content = .mapping(pairs(collection.children))
        }
        node.count = collection.children.reduce(1) { $0 + $1.count }
        node.depth = 1 + collection.children.reduce(0) { Swift.max($0, $1.depth) }
        if let anchor = collection.anchor { anchors[anchor] = .some(node) }
        add(node)
    }

    /// Where the innermost list or group begins, if it is in block style.
    private var blockStart: Int? { open.last.flatMap { $0.isFlow ? nil : $0.start } }

    private func range(_ place: Range<Int>) -> SourceRange {
        source.range(from: place.lowerBound, to: place.upperBound)
    }

    private func refuse(
        _ code: DiagnosticCode, _ message: String, _ place: Range<Int>, help: Help? = nil
    ) throws(Refusal) -> Never {
        throw Refusal(
            diagnostic: source.diagnostic(code, message, at: range(place), help: help),
            hasReadablePart: TreeLimits.codes.isDisjoint(with: [code]))
    }
}

extension TreeBuilder {
    /// Keys with their values. Merged values (`<<`) are added at the end; explicit keys and earlier ones win.
    private mutating func pairs(_ children: [Node]) -> [Node.Pair] {
        var pairs: [Node.Pair] = []
        pairs.reserveCapacity(children.count / 2)
        var places: [String: SourceRange] = [:]
        var merges: [Node] = []
        for index in stride(from: 0, to: children.count - 1, by: 2) {
            let (key, value) = (children[index], children[index + 1])
            guard case .scalar(let text, let style) = key.content, !key.isNull else {
                report(.keyKind, "a key must be a word, but this is \(key.kindName)", at: key.range)
                continue
            }
            if let first = places[text] {
                let note = Diagnostic.Note(
                    message: "it is first given here", range: first,
                    sourceLine: source.line(around: first.start))
                report(
                    .duplicateKey, "'\(text)' is given twice, first in line \(first.start.line)",
                    at: key.range,
                    help: "keep one of the two", note: note)
                continue
            }
            places[text] = key.range
            if text == "<<", style == .plain {
                merges.append(value)
            } else {
                pairs.append(Node.Pair(key: Located(value: text, range: key.range), value: value))
            }
        }
        for pair in merges.flatMap({ merged($0) }) where places[pair.key.value] == nil {
            places[pair.key.value] = pair.key.range
            pairs.append(pair)
        }
        return pairs
    }

    private mutating func merged(_ node: Node) -> [Node.Pair] {
        switch node.content {
        case .mapping(let pairs): return pairs
        case .sequence(let nodes) where nodes.allSatisfy(\.isMapping): return nodes.flatMap { merged($0) }
        case .sequence, .scalar:
            report(
                .mergeKey, "'<<' adds the keys of a mapping, but this is \(node.kindName)", at: node.range,
                help: "write an alias such as '<<: *rest'")
            return []
        }
    }

    private mutating func report(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, help: Help? = nil,
        note: Diagnostic.Note? = nil
    ) {
        diagnostics.append(source.diagnostic(code, message, at: range, help: help, note: note))
    }
}

extension Node {
    fileprivate var isMapping: Bool {
        switch content {
        case .mapping: true
        case .scalar, .sequence: false
        }
    }
}

extension SourceText {
    /// A diagnostic about a place in this text.
    func diagnostic(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, help: Help? = nil,
        note: Diagnostic.Note? = nil, severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        var diagnostic = Diagnostic(
            severity, code, message, file: file, range: range, sourceLine: line(around: range.start),
            help: help?.text, note: note)
        diagnostic.fix = help?.edits(at: range) ?? []
        return diagnostic
    }
}
