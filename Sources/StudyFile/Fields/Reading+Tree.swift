extension Reading {
    /// Reads a file's tree, and adds its mistakes.
    ///
    /// If reading ended early, mistakes that the rest of the file may correct are not reported.
    func read<Value>(_ tree: TreeBuilder, as kind: Kind<Value>) -> Value? {
        let value = tree.root.flatMap { kind.read($0, self) }
        add(tree.diagnostics)
        add(tree.portability.warnings.filter { !hasReported(at: $0.range) })
        guard let parts = tree.wholeParts else { return value }
        keep { diagnostic in
            switch diagnostic.code.horizon {
            case .value: true
            case .group: parts.contain(diagnostic.range.start)
            case .section(let key):
                tree.root?.value(of: key).map { parts.contain($0.range.start) } == true
            case .study: false
            }
        }
        return nil
    }
}

extension Node {
    fileprivate func value(of key: String) -> Node? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.value(of: key)
    }
}
