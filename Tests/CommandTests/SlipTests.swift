import Testing

/// What people type who remember another word: the answer says what was probably meant.
@Suite struct SlipTests {
    private let program = Program()

    @Test(arguments: [
        ("chek study.yaml", "did you mean 'entrain check'?"), ("validate study.yaml", "'entrain check'"),
        ("new x", "'entrain init'"), ("version", "'entrain --version'"), ("-v", "'entrain --version'"),
        ("--verison", "'entrain --version'"), ("help runn", "'entrain run'"), ("monitor", "'entrain serve'"),
        ("study statsu", "'entrain study status'"), ("study.yaml", "to run it: entrain run study.yaml"),
        ("init my study", "did you mean 'my-study'?"), ("explain E1", "'entrain explain' lists them all"),
        ("explain missing_file", "did you mean 'missing-file'?"),
        ("run study.yaml --particpant P01", "Did you mean '--participant'?"),
        ("rehearse study.yaml --participants 10-20", "11 rehearses P01 to P11"),
        ("check .", "name a study in it"), ("check study", "did you mean 'study.yaml'?"),
        ("clips .", "Is a directory"), ("show study.yaml", "name a folder"),
        ("next", "name the folder with the results"), ("mark hello", "name the folder with the results"),
    ])
    func `is answered with what was meant`(typed: String, words: String) {
        _ = program.run("init study")
        let outcome = program.run(typed)
        #expect(outcome.code != 0 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `takes short options for what is typed most`() {
        _ = program.run("init study")
        #expect(program.run("rehearse study.yaml -p P07 -o bundles").code == 0)
        #expect(program.run("analyze bundles --include-simulated").code == 0)
        #expect(program.run("show bundles").output.contains("participant P07"))
    }
}
