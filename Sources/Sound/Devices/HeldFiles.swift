import Glibc
import Synchronization

/// Files that stay readable whatever happens to their paths; each is held by a descriptor.
final class HeldFiles: Sendable {
    private let descriptors = Mutex<[FileIdentity: Int32]>([:])

    deinit { descriptors.withLock { for descriptor in $0.values { close(descriptor) } } }

    /// Whether other content was written into a file since it was held.
    func isRewritten(_ descriptor: Int32) -> Bool {
        guard let now = FileIdentity(of: "/dev/fd/\(descriptor)") else { return false }
        return descriptors.withLock { $0.first { $0.value == descriptor }?.key.isRewritten(now) == true }
    }

    /// - Returns: a descriptor that is valid as long as this object; `nil` if there is no such file, or if too many
    ///   are open.
    func hold(_ path: String) -> Int32? {
        guard let identity = FileIdentity(of: path) else { return nil }
        return descriptors.withLock { descriptors in
            if let known = descriptors[identity] { return known }
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            descriptors[identity] = descriptor
            return descriptor
        }
    }
}
