import Glibc

/// Compares `text` with the golden file `Golden/NAME` beside the calling test.
///
/// With `UPDATE_GOLDEN=1` in the environment the file is written again and nothing differs; read the diff
/// before it is committed.
///
/// - Returns: `nil` if both are the same, otherwise the first lines that differ.
package func goldenDifference(_ text: String, _ name: String, test: StaticString = #filePath) -> String? {
    let folder = test.description.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Golden/\(name)"
    if unsafe getenv("UPDATE_GOLDEN") != nil {
        return writeFile(Array(text.utf8), to: path) ? nil : "cannot write \(path)"
    }
    guard let bytes = readFile(path) else { return "\(name) is missing; UPDATE_GOLDEN=1 writes it" }
    let golden = String(decoding: bytes, as: UTF8.self)
    guard golden != text else { return nil }
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }
    guard let line else { return "\(name) has \(expected.count) lines, found \(found.count)" }
    return "\(name):\(line.offset + 1)\n- \(line.element.0)\n+ \(line.element.1)"
}

/// The bytes of a file; `nil` if it cannot be read.
package func readFile(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rbe") else { return nil }
    defer { unsafe _ = fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return bytes }
        bytes += buffer.prefix(count)
    }
}

/// Writes a file whole; `false` where that fails.
package func writeFile(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = unsafe fopen(path, "wbe") else { return false }
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    return unsafe fclose(file) == 0 && count == bytes.count
}

/// A folder of a test's own, removed with all it holds at the end.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/entrain-test-XXXXXX".utf8CString)
        path = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
                preconditionFailure("no folder can be made in /tmp")
            }
            return unsafe String(cString: made)
        }
    }

    deinit { remove() }

    package func remove() { removeTree(path) }
}

private func removeTree(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    if let stream = unsafe opendir(path) {
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe names.append(
                    String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)))
            }
        }
        unsafe _ = closedir(stream)
        for name in names where name != "." && name != ".." { removeTree("\(path)/\(name)") }
    }
    unsafe _ = rmdir(path)
}
