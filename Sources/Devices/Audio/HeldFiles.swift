import Glibc
import Synchronization

/// Files that stay readable as they were found, whatever becomes of their paths: one descriptor for each.
final class HeldFiles: Sendable {
    private let descriptors = Mutex<[FileIdentity: Int32]>([:])

    deinit { descriptors.withLock { for descriptor in $0.values { close(descriptor) } } }

    /// - Returns: a descriptor that lives as long as this; `nil` where there is no such file, or too many are open.
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
