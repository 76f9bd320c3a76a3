import CPlatform
import Glibc
import Platform

/// File systems on which a lock or a sync may not hold for other machines.
enum NetworkFileSystem {
    /// The names, by the number that the system uses for them (statfs(2)).
    private static let names: [Int: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFE53_4D42: "SMB", 0xFF53_4D42: "CIFS", 0x564C: "NCP",
        0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x00C3_6400: "Ceph",
        0x0BD0_0BD0: "Lustre", 0x0102_1997: "9P", 0x0116_1970: "GFS2", 0x7461_636F: "OCFS2",
        0x6573_5546: "FUSE", 0x786F_4256: "a shared folder of VirtualBox",
    ]

    /// The name of a file system that several machines may share, or whose behaviour is unknown; `nil` for others.
    static func name(ofType number: Int) -> String? { names[number & 0xFFFF_FFFF] }

    /// - Throws: if a folder lies on such a file system, or does not exist.
    static func refuse(_ path: String) throws(LedgerFailure) {
        let type = unsafe entrain_file_system_type(path)
        guard type >= 0 else {
            throw LedgerFailure(FileFailure("open", path, .system(code: errno)))
        }
        guard let name = name(ofType: type) else { return }
        throw LedgerFailure(
            "'\(path)' lies on \(name), whose locks cannot be trusted: put the ledger on a disk of this machine",
            .unreachable)
    }
}
