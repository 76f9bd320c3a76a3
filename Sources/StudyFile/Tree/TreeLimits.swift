/// How large a file may be, so that a hostile file is refused at once.
enum TreeLimits {
    /// Bytes.
    static let size = 1 << 20
    /// Levels of lists and mappings.
    static let depth = 64
    /// Nodes, after aliases are followed.
    static let nodes = 10_000
    static let anchors = 1_000
    /// The codes of files that exceed a limit.
    static let codes: Set<DiagnosticCode> = [.fileTooLarge, .tooDeep, .tooManyNodes, .tooManyAnchors]
}
