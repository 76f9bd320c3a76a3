import Glibc

/// The absolute path of what is at `path`, with every link followed; `nil` if nothing is there, and `errno` says
/// why.
package func realPath(_ path: String) -> String? {
    guard let whole = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(whole) }
    return unsafe String(cString: whole)
}
