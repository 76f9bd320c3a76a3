import Hashing
import Testing
import TextFormat
import TransparencyLog

@Suite struct MerkleTreeTests {
    /// The entries and roots that the tests of Certificate Transparency's own implementation have.
    private static let entries: [[UInt8]] = [
        [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
        [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
        [
            0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f,
        ],
    ]

    @Test(arguments: [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
        (5, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
        (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
    ])
    func `gives the roots of Certificate Transparency`(count: Int, root: String) {
        let leaves = Self.entries.prefix(count).map { MerkleTree.leaf($0) }
        #expect(hexadecimal(MerkleTree.root(of: leaves[...])) == root)
    }

    @Test func `the tiles at the end give the root of the whole`() {
        var edge = MerkleEdge()
        var leaves: [MerkleHash] = []
        var full: [Int] = []
        for number in 0..<66_000 {
            leaves.append(
                MerkleTree.leaf([UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16)]))
            edge.add(leaves[number]) { level, _ in full.append(level) }
            let size = number + 1
            if size < 300 || size % 4999 == 0 || (65_530..<65_540).contains(size) {
                #expect(edge.root == MerkleTree.root(of: leaves[...]), "\(size)")
            }
        }
        #expect(full.count { $0 == 0 } == 257 && full.count { $0 == 1 } == 1)
        #expect(edge.levels.map(\.count) == [208, 1, 1])
    }

    @Test func `the hashes beside the next entry lead to the root`() {
        var edge = MerkleEdge()
        for number in 0..<1_000 {
            let (leaf, path) = (MerkleTree.leaf([UInt8(number & 0xFF), UInt8(number >> 8)]), edge.pathOfNext)
            edge.add(leaf) { _, _ in }
            // RFC 9162, section 2.1.3.2, for the last entry.
            #expect(path.reduce(leaf) { SHA256.digest(of: [1] + $1 + $0) } == edge.root, "\(number)")
            #expect(path.count == number.nonzeroBitCount)
        }
    }

    @Test(arguments: [
        (0, 256, "tile/0/000"), (5, 3, "tile/0/005.p/3"), (1_234_067, 256, "tile/0/x001/x234/067"),
        (70_000, 1, "tile/0/x070/000.p/1"),
    ])
    func `names tiles as tlog-tiles does`(index: Int, width: Int, path: String) {
        #expect(MerkleTree.path("0", index, width: width) == path)
    }
}
