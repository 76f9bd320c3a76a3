/// What only a clip's sound can tell.
extension DiagnosticPage {
    private static func study(_ pool: String, _ stimulus: String, duration: String = "30 s") -> String {
        """
        entrain: 1
        study: {identifier: rest, title: Rest}
        stimuli:
          clips: {catalogue: clips.yaml, pool: \(pool)}
        tasks:
          - identifier: Rest
            steps:
              - {type: active, identifier: a, duration: \(duration), stimulus: \(stimulus)}
              - {type: completion, identifier: end}

        """
    }

    static let clipLoudness = DiagnosticPage(
        title: "Clips of a pool are not equally loud",
        explanation: """
            A louder clip is another stimulus, whatever it is. Clips of one pool should be within 1 LU of each \
            other (integrated loudness by EBU R 128, measured with libebur128); 'entrain clips' lists it.
            """,
        example: study("1️⃣[chill_1, dark_1]", "{from: clips, draw: random}"),
        remedy: study("[chill_1, chill_2]", "{from: clips, draw: random}"))
    static let clipShort = DiagnosticPage(
        title: "A clip ends before its step",
        explanation: """
            The rest of the step would be silent. `loop: true` lets the clip begin again until the step ends.
            """,
        example: study("[chill_1]", "1️⃣{from: clips, draw: random}", duration: "60 s"),
        remedy: study("[chill_1]", "{from: clips, draw: random, loop: true}", duration: "60 s"))
    static let clipDistorted = DiagnosticPage(
        title: "A clip is distorted",
        explanation: """
            Its peaks reach above full scale, where every device cuts them off: by itself, or with the step's \
            `gain`. A true peak of at most -1 dB leaves room.
            """,
        example: study("[chill_1]", "1️⃣{from: clips, draw: random, gain: 6 dB}"),
        remedy: study("[chill_1]", "{from: clips, draw: random}"))
    static let clipChanged = DiagnosticPage(
        title: "A clip is not the file that the catalogue describes",
        explanation: """
            The SHA-256 of the file is not the one in the catalogue: results would name a clip that nobody heard. \
            In a catalogue whose sums are right, this is never found.
            """,
        example: nil,
        remedy: study("[chill_1]", "{from: clips, draw: random}"))
}
