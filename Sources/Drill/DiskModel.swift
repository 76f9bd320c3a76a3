import Hashing
import StudyEngine

/// What a file system may do with calls that were not synced.
package enum PowerCut: String, CaseIterable, Hashable, Sendable {
    /// Any of them, in any combination: what POSIX allows.
    case any
    /// None of them took effect.
    case least
    /// All names and sizes took effect, but no bytes: files exist and contain zeros.
    case names
    /// All of them took effect, but the last write to each file only in part.
    case torn
}

/// What may be left on a disk when the power fails, after the calls that a program made.
///
/// A file's bytes are safe once the file was synced, and a name once its folder was. Any part of the rest may
/// exist, because POSIX promises nothing. What a failed sync should have made safe never becomes safe: the system
/// forgets that it was not written, so a later sync of the same file succeeds without it.
struct DiskModel {
    /// The content of the disk, by path below the root. Folders have no bytes.
    typealias State = [(path: String, bytes: [UInt8]?)]

    private struct Change {
        var bytes: [UInt8]
        /// Where the bytes are written; for a truncation, the remaining size.
        var offset: Int
        var isCut: Bool
        var isSafe = false
        /// Whether a sync of it failed.
        var isForgotten = false
    }

    private struct NameChange {
        var removed: Name?
        var added: Name?
        var node: Int
        var isSafe = false
    }

    private struct Name: Hashable {
        var folder: Int
        var name: String
    }

    private struct Node {
        var isFolder: Bool
        var changes: [Change] = []

        mutating func sync() {
            for index in changes.indices where !changes[index].isForgotten { changes[index].isSafe = true }
        }

        mutating func forget() {
            for index in changes.indices where !changes[index].isSafe { changes[index].isForgotten = true }
        }
    }

    private var nodes = [Node(isFolder: true)]
    /// What every name refers to for running programs; node 0 is the root.
    private var names: [Name: Int] = [:]
    private var nameChanges: [NameChange] = []

    init() {}

    /// Makes one call that succeeded. Paths are relative to the root. Calls on things that the model has never
    /// seen, such as a file without a name, change nothing.
    mutating func apply(_ record: FaultRecord, below root: String) {
        guard record.result >= 0 else {
            forget(record, below: root)
            return
        }
        guard let path = Self.relative(record.path, to: root) else { return }
        switch record.kind {
        case .create: add(path, isFolder: false)
        case .makeFolder: add(path, isFolder: true)
        case .write, .truncate:
            guard let node = node(at: path) else { return }
            let isCut = record.kind == .truncate
            nodes[node].changes.append(Change(bytes: record.bytes, offset: record.offset, isCut: isCut))
        case .sync:
            guard let node = node(at: path) else { return }
            nodes[node].sync()
            for (index, change) in nameChanges.enumerated()
            where change.removed?.folder == node || change.added?.folder == node {
                nameChanges[index].isSafe = true
            }
        case .syncAll:
            for node in nodes.indices { nodes[node].sync() }
            for index in nameChanges.indices { nameChanges[index].isSafe = true }
        case .rename:
            guard let new = Self.relative(record.newPath, to: root), let old = name(at: path),
                let target = name(at: new), let node = names[old]
            else { return }
            names[old] = nil
            names[target] = node
            nameChanges.append(NameChange(removed: old, added: target, node: node))
        case .remove:
            guard let old = name(at: path), let node = names.removeValue(forKey: old) else { return }
            nameChanges.append(NameChange(removed: old, added: nil, node: node))
        case .open, .say: return
        }
    }

    private mutating func forget(_ record: FaultRecord, below root: String) {
        if record.kind == .syncAll {
            for node in nodes.indices { nodes[node].forget() }
        } else if record.kind == .sync, let path = Self.relative(record.path, to: root),
            let node = node(at: path)
        {
            nodes[node].forget()
        }
    }

    /// A possible state of the disk.
    func state(_ mode: PowerCut, chance: inout SplitMix64) -> State {
        var kept: [Name: Int] = [:]
        // Sometimes all or nothing; every mixture lies in between.
        let share = mode == .least ? 0 : [0, 0.5, 0.5, 0.9, 1][chance.index(below: 5)]
        let keepsNames = mode == .names || mode == .torn
        for change in nameChanges where change.isSafe || keepsNames || chance.unit() < share {
            if let old = change.removed, kept[old] == change.node { kept[old] = nil }
            if let new = change.added { kept[new] = change.node }
        }
        var contents: [Int: [UInt8]] = [:]
        for (index, node) in nodes.enumerated() where !node.isFolder {
            contents[index] = bytes(of: node, mode, share, &chance)
        }
        var children: [Int: [(name: String, node: Int)]] = [:]
        for (name, node) in kept { children[name.folder, default: []].append((name.name, node)) }
        var state: State = []
        // If a folder is lost, so are its names. Only what can be reached from the root exists.
        var open: [(path: String, node: Int)] = [("", 0)]
        while let (path, node) = open.popLast() {
            for child in (children[node] ?? []).sorted(by: { $0.name < $1.name }) {
                let full = path.isEmpty ? child.name : "\(path)/\(child.name)"
                state.append((full, contents[child.node]))
                if nodes[child.node].isFolder { open.append((full, child.node)) }
            }
        }
        return state
    }

    private func bytes(of node: Node, _ mode: PowerCut, _ share: Double, _ chance: inout SplitMix64)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        let last = node.changes.indices.last
        for (index, change) in node.changes.enumerated() {
            var written = change.bytes
            if !change.isSafe {
                switch mode {
                case .any, .least: if chance.unit() >= share { continue }
                case .names: written = [UInt8](repeating: 0, count: written.count)
                case .torn:
                    if index == last, !written.isEmpty {
                        written.removeLast(1 + chance.index(below: written.count))
                    }
                }
            }
            let end = change.isCut ? change.offset : change.offset + written.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            if change.isCut {
                bytes.removeLast(bytes.count - end)
            } else {
                bytes.replaceSubrange(change.offset..<end, with: written)
            }
        }
        return bytes
    }

    private mutating func add(_ path: String, isFolder: Bool) {
        guard let name = name(at: path), names[name] == nil else { return }
        nodes.append(Node(isFolder: isFolder))
        names[name] = nodes.count - 1
        nameChanges.append(NameChange(removed: nil, added: name, node: nodes.count - 1))
    }

    private func node(at path: String) -> Int? {
        path.isEmpty ? 0 : name(at: path).flatMap { names[$0] }
    }

    private func name(at path: String) -> Name? {
        var folder = 0
        let parts = path.split(separator: "/").map(String.init)
        guard let last = parts.last else { return nil }
        for part in parts.dropLast() {
            guard let next = names[Name(folder: folder, name: part)] else { return nil }
            folder = next
        }
        return Name(folder: folder, name: last)
    }

    private static func relative(_ path: String, to root: String) -> String? {
        guard path.hasPrefix(root) else { return nil }
        let rest = path.dropFirst(root.count)
        return rest.isEmpty ? "" : rest.first == "/" ? String(rest.dropFirst()) : nil
    }
}
