import BundleReplay
import Glibc
import SessionPorts
import StudyFile
import StudyTesting
import Testing

@Suite struct LibraryTests {
    let folder = TemporaryFolder()

    private func make(_ path: String, folderOnly: Bool = false) {
        var parts = path.split(separator: "/").map(String.init)
        let name = folderOnly ? nil : parts.popLast()
        var place = folder.path
        for part in parts {
            place += "/" + part
            _ = unsafe mkdir(place, 0o755)
        }
        if let name { #expect(writeFile(Array("x".utf8), to: place + "/" + name)) }
    }

    @Test func `a study sees its own folder, and the Media folder beside that`() {
        make("Studies/clip.ogg")
        make("Media/tune.ogg")
        make("Elsewhere/tune.ogg")
        make("Studies/deep", folderOnly: true)
        #expect(unsafe symlink("../Elsewhere/tune.ogg", folder.path + "/Studies/inside") == 0)
        #expect(unsafe symlink("/etc/passwd", folder.path + "/Studies/outside") == 0)
        #expect(unsafe mkfifo(folder.path + "/Studies/pipe", 0o600) == 0)
        let library = Library.beside(study: folder.path + "/Studies/study.yaml")
        #expect(library.media("clip.ogg") == nil)
        #expect(library.media("../Media/tune.ogg") == nil)
        #expect(library.media("inside") == nil)
        #expect(library.media("missing.ogg") == .missing)
        #expect(library.media("deep") == .notAFile)
        #expect(library.media("pipe") == .notAFile)
        #expect(library.media("outside") == .outsideLibrary)
        #expect(library.media("../../etc/passwd") != nil)
        #expect(library.media("/etc/passwd") == .outsideLibrary)
    }

    @Test func `a named pipe is no study, and nobody waits for it`() {
        make("Studies", folderOnly: true)
        let path = folder.path + "/Studies/pipe.yaml"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let failure = #expect(throws: StudyFailure.self) { try CheckedStudy(reading: path) }
        #expect(failure?.description.contains("is a named pipe") == true)
    }

    @Test func `without a Media folder the study sees its own folder alone`() {
        make("Studies/clip.ogg")
        make("Other/tune.ogg")
        let library = Library.beside(study: folder.path + "/Studies/study.yaml")
        #expect(library.media("clip.ogg") == nil)
        #expect(library.media("../Other/tune.ogg") == .outsideLibrary)
    }
}
