/// A clip's file, as it was found.
package struct ClipFile: Hashable, Sendable {
    package var path: String
    /// Length in frames of its own rate.
    package var length: Int64
    package var rate: Int
    /// The file's identity at that time; `nil` if any file will do.
    package var identity: FileIdentity?

    package init(path: String, length: Int64, rate: Int, identity: FileIdentity? = nil) {
        (self.path, self.length, self.rate, self.identity) = (path, length, rate, identity)
    }
}
