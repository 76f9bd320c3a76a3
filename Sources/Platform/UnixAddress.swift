package import Glibc

/// Stream sockets between programs of one machine.
package enum UnixAddress {
    /// A new socket, which programs that are started later do not inherit; `nil` if the system refuses.
    package static func socket() -> Int32? {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Binds or connects a socket.
    ///
    /// - Parameters:
    ///   - act: `bind` or `connect`.
    ///   - name: a path of at most 107 bytes; or a zero byte and an abstract name, for which no file is made.
    /// - Returns: whether it succeeded; `errno` says why not.
    package static func apply(
        _ act: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, to descriptor: Int32, _ name: [UInt8]
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in name.enumerated() where index < place.count { unsafe place[index] = byte }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe act(descriptor, pointer, size) == 0
            }
        }
    }
}
