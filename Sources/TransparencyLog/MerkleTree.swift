import Hashing

/// A hash of a Merkle tree, 32 bytes.
package typealias MerkleHash = [UInt8]

/// The hashes of a Merkle tree after RFC 6962, section 2.1, in tiles of 256 as C2SP's tlog-tiles has them.
package enum MerkleTree {
    /// How many hashes a full tile has.
    static let width = 256

    /// The hash of an entry.
    package static func leaf(_ entry: [UInt8]) -> MerkleHash { SHA256.digest(of: [0] + entry) }

    /// The root above hashes of one level; of none, the digest of nothing.
    package static func root(of hashes: ArraySlice<MerkleHash>) -> MerkleHash {
        guard let first = hashes.first else { return SHA256.digest(of: []) }
        guard hashes.count > 1 else { return first }
        // The largest power of two below the count.
        let left = 1 << (Int.bitWidth - 1 - (hashes.count - 1).leadingZeroBitCount)
        return SHA256.digest(of: [1] + root(of: hashes.prefix(left)) + root(of: hashes.dropFirst(left)))
    }

    /// The hashes beside the way from an entry to the root, from below (RFC 6962, section 2.1.1).
    static func path(to index: Int, in hashes: ArraySlice<MerkleHash>) -> [MerkleHash] {
        guard hashes.count > 1 else { return [] }
        let left = 1 << (Int.bitWidth - 1 - (hashes.count - 1).leadingZeroBitCount)
        return index < left
            ? path(to: index, in: hashes.prefix(left)) + [root(of: hashes.dropFirst(left))]
            : path(to: index - left, in: hashes.dropFirst(left)) + [root(of: hashes.prefix(left))]
    }

    /// The hashes of every level of tiles: those of the entries, and above them the roots of full tiles.
    static func levels(above leaves: [MerkleHash]) -> [[MerkleHash]] {
        var levels = [leaves]
        while let last = levels.last, last.count >= width {
            levels.append(
                stride(from: 0, through: last.count - width, by: width).map {
                    root(of: last[$0..<$0 + width])
                })
        }
        return levels
    }

    /// How many hashes the tile at the end of a level has, 0..<256, in a tree of this size.
    static func width(ofEndAt level: Int, in size: Int) -> Int { size >> (8 * level) & (width - 1) }

    /// The path of a tile or a bundle of entries: its number in groups of three digits, and the number of its hashes
    /// unless it is full.
    ///
    ///     path("0", 1_234_067, width: 5)   // "tile/0/x001/x234/067.p/5"
    package static func path(_ kind: String, _ index: Int, width: Int = width) -> String {
        var groups = [String(1000 + index % 1000).dropFirst()]
        var rest = index / 1000
        while rest > 0 {
            groups.insert("x" + String(1000 + rest % 1000).dropFirst(), at: 0)
            rest /= 1000
        }
        return "tile/\(kind)/\(groups.joined(separator: "/"))" + (width < Self.width ? ".p/\(width)" : "")
    }
}

/// The tiles at the end of a tree that are not full. They are all that the root is worked out from, and all that
/// grows.
package struct MerkleEdge: Sendable {
    /// By level, the hashes of the last tile; fewer than 256.
    package private(set) var levels: [[MerkleHash]]

    package init(_ levels: [[MerkleHash]] = []) { self.levels = levels }

    /// The edge of the tree above these hashes of entries.
    init(above leaves: [MerkleHash]) {
        levels = MerkleTree.levels(above: leaves).map { $0.suffix($0.count % MerkleTree.width) }
    }

    /// A whole tile, and below it a tree that is smaller than its smallest part: so the tree below counts as one hash
    /// more.
    package var root: MerkleHash {
        let top = levels.reduce(nil as MerkleHash?) { below, level in
            let hashes = level + (below.map { [$0] } ?? [])
            return hashes.isEmpty ? nil : MerkleTree.root(of: hashes[...])
        }
        return top ?? MerkleTree.root(of: [])
    }

    /// The hashes beside the way from the next entry to the root, the nearest first: the roots of the whole subtrees of
    /// which the tree is made now, the smallest first (RFC 6962, section 2.1.1).
    package var pathOfNext: [MerkleHash] {
        levels.flatMap { level in
            var end = level.count
            return (0..<8).filter { level.count >> $0 & 1 == 1 }.map { bit in
                end -= 1 << bit
                return MerkleTree.root(of: level[end..<end + 1 << bit])
            }
        }
    }

    /// Adds the hash of the next entry.
    ///
    /// - Parameter full: receives every tile that is full now, with its level.
    package mutating func add(_ leaf: MerkleHash, full: (Int, [MerkleHash]) throws -> Void) rethrows {
        var (level, hash) = (0, leaf)
        while true {
            if level == levels.count { levels.append([]) }
            levels[level].append(hash)
            guard levels[level].count == MerkleTree.width else { return }
            try full(level, levels[level])
            hash = MerkleTree.root(of: levels[level][...])
            levels[level] = []
            level += 1
        }
    }
}
