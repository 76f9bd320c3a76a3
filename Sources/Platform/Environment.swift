import Glibc

/// A variable of the environment; `nil` if there is none.
package func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

/// This machine's name; `nil` if it has none.
package var machineName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
}

/// Whether people other than the owner may read a file, or enter a folder.
package func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & (status.st_mode & S_IFMT == S_IFDIR ? S_IXGRP | S_IXOTH : S_IRGRP | S_IROTH) != 0
}
