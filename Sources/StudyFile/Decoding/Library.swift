/// How the parser reads other files: the only way it touches the world.
package struct Library: Sendable {
    /// Why a file cannot be had.
    package enum Problem: Error, Hashable, Sendable {
        case missing
        case notAFile
        case outsideLibrary
        /// With the system's words.
        case unreadable(String)
        case tooLarge
    }

    /// A catalogue's or consent document's bytes; the path is relative to the study file, as written there
    /// (in a catalogue: joined with the catalogue's own folder).
    package var text: @Sendable (_ path: String) -> Result<[UInt8], Problem>
    /// Whether a file is there, inside the library; the path as for `text`.
    package var media: @Sendable (_ path: String) -> Problem?

    /// Whether a program can be started: one with a `/` below the study's folder, any other along the path.
    package var program: @Sendable (_ name: String) -> ProgramProblem?

    /// Why a program cannot be started on this machine.
    package enum ProgramProblem: Hashable, Sendable {
        case missing
        case notExecutable
    }

    package init(
        text: @escaping @Sendable (_ path: String) -> Result<[UInt8], Problem>,
        media: @escaping @Sendable (_ path: String) -> Problem?,
        program: @escaping @Sendable (_ name: String) -> ProgramProblem? = { _ in nil }
    ) {
        self.text = text
        self.media = media
        self.program = program
    }
}
