import Glibc

/// A new folder of this user alone, beside the system's other temporary files.
struct ScratchFolder {
    let path: String

    /// `nil` if none can be made.
    init?() {
        var template = Array("/tmp/entrain-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with the one file that was made in it.
    func remove(_ file: String) {
        unsafe unlink("\(path)/\(file)")
        unsafe rmdir(path)
    }
}
