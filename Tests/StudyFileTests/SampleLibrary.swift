import StudyFile

extension Library {
    /// A library with one catalogue of six clips, `clips.yaml`, and what goes wrong elsewhere.
    static let sample = Library(
        text: { path in
            switch path {
            case "clips.yaml": .success(Array(sampleCatalogue.utf8))
            case "../Media/clips.yaml": .success(Array(previewCatalogue.utf8))
            case "broken.yaml": .success(Array(brokenCatalogue.utf8))
            case "consent.md": .success(Array("# Consent\n\nI take part.\n".utf8))
            case "folder": .failure(.notAFile)
            case "secret.yaml": .failure(.unreadable("Permission denied"))
            case "large.yaml": .failure(.tooLarge)
            case let path where path.hasPrefix("../../"): .failure(.outsideLibrary)
            default: .failure(.missing)
            }
        },
        media: { path in
            if path.hasPrefix("../../") { return .outsideLibrary }
            return path.hasSuffix("absent.wav") ? .missing : nil
        },
        program: { $0 == "nback.py" ? .missing : nil })

    private static let previewCatalogue =
        "entrain: 1\nclips:\n"
        + [
            "chill_preview_3", "chill_preview_4", "dark_preview_4", "happy_preview_1", "light_preview_2",
            "light_preview_3",
        ]
        .map { "  - {identifier: \($0), file: \($0).ogg, mood: \($0.prefix { $0 != "_" })}\n" }.joined()

    private static let brokenCatalogue = """
        entrain: 1
        clips:
          - {identifier: here, file: here.wav, mood: calm}
          - {identifier: absent, file: absent.wav, mood: calm}
          - {identifier: here, file: other.wav, mood: calm}
        """
}

let sampleCatalogue = """
    entrain: 1
    clips:
      - {identifier: chill_1, file: chill_1.wav, title: Lake, mood: chill, tempo: 80, duration: 30 s}
      - {identifier: chill_2, file: chill_2.wav, title: Pond, mood: chill, tempo: 84, duration: 30.5 s}
      - {identifier: dark_1, file: dark_1.wav, mood: dark, tempo: 70}
      - {identifier: dark_2, file: dark_2.wav, mood: dark, tempo: 72}
      - {identifier: happy_1, file: happy_1.wav, mood: happy, tempo: 120}
      - {identifier: light_1, file: light_1.wav, mood: light, tempo: 100}
    """

/// Reads a study with the sample library.
func parse(_ text: String) -> ParsedStudy {
    ParsedStudy(Array(text.utf8), named: "study.yaml", library: .sample)
}

/// A study of one task with the given steps, each in a line of its own, and a completion step.
func study(_ steps: String, head: String = "") -> String {
    """
    entrain: 1
    study: {identifier: s, title: T}
    \(head)
    tasks:
      - identifier: Task
        steps:
          \(steps.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n      "))
          - {type: completion, identifier: end}
    """
}
