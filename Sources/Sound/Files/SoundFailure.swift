/// Why sound could not be read, written or played, in a sentence for the person at the keyboard.
package struct SoundFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
