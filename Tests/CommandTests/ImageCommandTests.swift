import StudyTesting
import Testing

/// Pictures, from the study to the bundle.
@Suite struct ImageCommandTests {
    private let program = Program()

    private func write(
        _ file: String = "{face}.png",
        rows: String = "[{identifier: glad, face: glad}, {identifier: sad, face: sad}]"
    ) {
        for (number, name) in [(5, "glad"), (1, "sad")] {
            _ = program.lines(of: "cp \(Program.root)Media/faces/face-\(number).png \(name).png")
        }
        _ = program.write(
            """
            entrain: 1
            study: {identifier: faces, title: Faces, seed: 1}
            conditions: {faces: {rows: \(rows)}}
            tasks:
              - identifier: Task
                steps:
                  - type: block
                    identifier: rounds
                    forEach: faces
                    steps:
                      - {type: instruction, identifier: see, title: See, image: {file: "\(file)", alternative: "A {face} face"}}
                  - type: question
                    identifier: felt
                    title: And you?
                    answer: {choice: [{value: "1", text: Bad, image: sad.png}, {value: "2", text: Good, image: glad.png}]}
                  - {type: completion, identifier: end, title: End}
            """, "study.yaml")
    }

    private func run(_ more: String = "") -> Program.Outcome {
        _ = program.write("\n\n2\n\n", "keys")
        return program.run("run study.yaml --participant P01 --plain --out out \(more)", input: "keys")
    }

    @Test func `lines have the alternative texts, and the bundle has the files and that nothing was shown`() {
        write()
        let told = run()
        #expect(told.code == 0 && told.output.contains("[A glad face]"), "\(told)")
        #expect(told.output.contains("[A sad face]") && !told.output.contains(".png"), "\(told)")
        let found = program.lines(of: "jq -c '[.images.shownAs, .images.files[].name]' out/*/manifest.json")
        #expect(found == [#"["alternative","glad.png","sad.png"]"#])
        let sums = program.lines(of: "sha256sum glad.png sad.png | cut -c1-64")
        #expect(program.lines(of: "jq -r '.images.files[].sha256' out/*/manifest.json") == sums)
        #expect(program.run("verify out").code == 0)
        _ = program.lines(of: "echo entrain | sha256sum > key; chmod 600 key")
        let shared = program.run("export out --to ro-crate --out safe --pseudonymise key")
        #expect(shared.code == 0, "\(shared)")
        #expect(program.lines(of: "grep -rl glad.png safe").isEmpty)
    }

    @Test func `a picture that is exchanged after the registration stops the run`() {
        write()
        #expect(program.run("freeze study.yaml --out registration").code == 0)
        #expect(
            program.lines(of: "jq -r '.images | keys[]' registration/registration.json") == [
                "glad.png", "sad.png",
            ])
        #expect(run().code == 0)
        _ = program.lines(of: "cp glad.png sad.png")
        let refused = program.run("run study.yaml --participant P02 --plain --out out", input: "keys")
        #expect(
            refused.code == 65 && refused.errors.contains("the picture 'sad.png' is another one"),
            "\(refused)")
    }

    @Test func `check names pictures that are missing or none, in every round`() {
        write("faces/{face}.png")
        let missing = program.run("check study.yaml")
        #expect(
            missing.code == 65 && missing.output.contains("there is no file 'faces/glad.png'"), "\(missing)")
        write("{face}", rows: "[{identifier: glad, face: glad.png}, {identifier: sad, face: study.yaml}]")
        let none = program.run("check study.yaml")
        #expect(none.code == 65 && none.output.contains("it is no PNG or JPEG"), "\(none)")
    }

    @Test func `an example with pictures runs where it was copied`() {
        #expect(program.run("init new --example faces-and-music").code == 0)
        #expect(program.run("check new/faces-and-music.yaml").code == 0)
        #expect(program.lines(of: "ls new/Media/faces").count == 5)
    }
}
