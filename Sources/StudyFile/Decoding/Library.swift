/// How the parser reads other files. It has no other contact with the outside.
package struct Library: Sendable {
    /// Why a file cannot be read.
    package enum Problem: Error, Hashable, Sendable {
        case missing
        case notAFile
        case outsideLibrary
        /// The file cannot be read, for this reason in the system's words.
        case unreadable(String)
        case tooLarge
    }

    /// The bytes of a catalogue or consent document. The path is relative to the study file, as it is written
    /// there; within a catalogue, it is joined with the catalogue's own folder.
    package var text: @Sendable (_ path: String) -> Result<[UInt8], Problem>
    /// Whether a file exists inside the library; the path is as for `text`.
    package var media: @Sendable (_ path: String) -> Problem?
    /// Whether a file is a picture that can be shown; the path is as for `text`.
    package var image: @Sendable (_ path: String) -> Problem?

    /// Whether a program can be started. A name with a `/` lies below the study's folder; any other is looked for
    /// along the path.
    package var program: @Sendable (_ name: String) -> ProgramProblem?

    /// Why a program cannot be started on this machine.
    package enum ProgramProblem: Hashable, Sendable {
        case missing
        case notExecutable
    }

    package init(
        text: @escaping @Sendable (_ path: String) -> Result<[UInt8], Problem>,
        media: @escaping @Sendable (_ path: String) -> Problem?,
        image: @escaping @Sendable (_ path: String) -> Problem? = { _ in nil },
        program: @escaping @Sendable (_ name: String) -> ProgramProblem? = { _ in nil }
    ) {
        self.text = text
        self.media = media
        self.image = image
        self.program = program
    }
}
