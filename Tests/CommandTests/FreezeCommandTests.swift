import Results
import StudyTesting
import Testing
import TextFormat

/// A study is frozen, run, changed and analysed, as a laboratory does it.
@Suite struct FreezeCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        # A pilot.
        study: {identifier: calm, title: Calm, seed: 1, registration: registration}
        conditions: {tempi: {file: tempi.csv}}
        outcomes: {primary: {measure: answer, of: mood}}
        tasks:
          - identifier: day
            steps:
              - type: block
                identifier: listen
                forEach: tempi
                steps:
                  - {type: instruction, identifier: hear, title: "Music at {tempo}"}
                  - {type: question, identifier: mood, title: Mood, answer: {scale: {from: 1, to: 5}}}
              - {type: completion, identifier: done, title: Done}
        """

    private func freeze(_ study: String = study, to folder: String = "registration") -> Program.Outcome {
        _ = program.write("identifier,tempo\nslow,60\nfast,120\n", "tempi.csv")
        _ = program.write(study.replacing(", registration: registration", with: ""), "first.yaml")
        _ = program.write(study, "study.yaml")
        return program.run("freeze first.yaml --out \(folder)")
    }

    /// Answers like a person by lines.
    private func run(_ options: String) -> Program.Outcome {
        _ = program.write("\n3\n\n4\n\n", "keys")
        return program.run("run study.yaml --plain --out results \(options)", input: "keys")
    }

    private func json(_ command: String) throws -> JSON {
        let outcome = program.run(command)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    @Test func `a registration holds the study, and is never written over`() throws {
        let frozen = freeze()
        #expect(frozen.code == 0, "\(frozen.errors)")
        let files = program.lines(of: "cd registration; find . -type f | sort")
        #expect(
            files == [
                "./SHA256SUMS", "./files/1-first.yaml", "./files/2-tempi.csv", "./protocol.html",
                "./registration.json", "./registration.tsq",
            ])
        #expect(program.lines(of: "cd registration; sha256sum -c SHA256SUMS | grep -vc OK") == ["0"])
        #expect(program.lines(of: "cmp first.yaml registration/files/1-first.yaml && echo same") == ["same"])
        let registration = try JSON(
            parsing: Array(Program.text(of: program.folder.path + "/registration/registration.json").utf8))
        #expect(frozen.output.contains(try #require(registration["meaningSHA256"]?.text)))
        let again = program.run("freeze first.yaml --out registration")
        #expect(again.code == 74 && again.errors.contains("it exists already"))
        #expect(program.run("freeze gone.yaml --out other").code == 69)
        _ = program.write("entrain: 1\n", "bad.yaml")
        #expect(program.run("freeze bad.yaml --out other").code == 65)
        #expect(program.lines(of: "ls -d other* | wc -l") == ["0"])
    }

    @Test(.enabled(if: !Program().lines(of: "(command -v openssl)").isEmpty, "openssl is not installed"))
    func `OpenSSL reads the request for a time stamp, and signs what was registered`() throws {
        #expect(freeze().code == 0)
        let said = program.lines(of: "openssl ts -query -in registration/registration.tsq -text")
        #expect(said.contains("Version: 1") && said.contains("Hash Algorithm: sha256"))
        #expect(said.contains("Certificate required: yes") && said.contains { $0.hasPrefix("Nonce: 0x") })
        let made = program.lines(
            of: """
                (exec 2>/dev/null; printf '%s\\n' '[req]' 'distinguished_name=n' '[n]' '[x]' \
                'extendedKeyUsage=critical,timeStamping' '[tsa]' 'default_tsa=t' '[t]' 'serial=serial' 'signer_digest=sha256' \
                'default_policy=1.2.3.4' 'digests=sha256' 'accuracy=secs:1' >tsa.cnf; echo 01 >serial; \
                openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=tsa -config tsa.cnf -extensions x; \
                openssl ts -reply -config tsa.cnf -queryfile registration/registration.tsq -signer c.pem -inkey k.pem -out r.tsr; \
                openssl ts -verify -data registration/registration.json -in r.tsr -CAfile c.pem; \
                openssl ts -verify -queryfile registration/registration.tsq -in r.tsr -CAfile c.pem; \
                openssl ts -verify -data study.yaml -in r.tsr -CAfile c.pem || echo another)
                """)
        #expect(made == ["Verification: OK", "Verification: OK", "Verification: FAILED", "another"])
    }

    @Test func `a changed study is refused, unless somebody says why`() throws {
        #expect(freeze().code == 0)
        #expect(run("--participant P01").code == 0)
        _ = program.write(Self.study.replacing("# A pilot.", with: "# The study."), "study.yaml")
        #expect(program.run("check study.yaml").output.contains("nothing wrong"))
        #expect(run("--participant P02").code == 0)
        _ = program.write(Self.study.replacing("to: 5", with: "to: 7"), "study.yaml")
        let checked = program.run("check study.yaml")
        #expect(checked.code == 0 && checked.output.contains("warning[changed-study]"))
        let refused = run("--participant P03")
        #expect(refused.code == 65)
        #expect(
            refused.errors.contains(
                "tasks.day.steps.listen.steps.mood.answer.scale.to is 7, was 5. Undo the change"),
            "\(refused.errors)")
        #expect(program.lines(of: "ls results").count == 2)
        #expect(run("--participant P03 --deviation ' '").code == 64)
        #expect(run("--participant P03 --deviation 'a wider scale, asked for by the board'").code == 0)
        // A rehearsal tries anything out.
        #expect(program.run("rehearse study.yaml --out rehearsed").code == 0)
        _ = program.write("identifier,tempo\nslow,61\nfast,120\n", "tempi.csv")
        _ = program.write(Self.study, "study.yaml")
        #expect(run("--participant P04").errors.contains("tempi.csv is identifier,tempo"))

        let told = try json("deviations results --format json")
        #expect(told["runs"] == 3)
        let found = try #require(told["deviations"]?.list)
        #expect(found.compactMap { $0["participant"]?.text } == ["P03"])
        let kinds = found.first?["deviations"]?.list?.compactMap { $0["kind"]?.text }
        #expect(kinds == ["stated", "registration"])
        let lines = program.run("deviations results --registration registration").output
        #expect(lines.contains("stated: a wider scale"))
        #expect(
            lines.contains(
                "not the registered study: tasks.day.steps.listen.steps.mood.answer.scale.to is 7, was 5"))
        for path in program.lines(of: "ls -d results/*") { #expect(program.run("verify \(path)").code == 0) }
    }

    @Test func `the registered analysis takes the registered study only, and says so`() throws {
        #expect(freeze().code == 0)
        for code in ["P01", "P02", "P03"] { #expect(run("--participant \(code)").code == 0) }
        _ = program.write(Self.study.replacing("Music at", with: "Sound at"), "study.yaml")
        #expect(run("--participant P04 --deviation 'another word'").code == 0)
        _ = program.write(Self.study.replacing("# A pilot.", with: "#"), "study.yaml")
        #expect(run("--participant P05 --deviation 'the door was open'").code == 0)
        #expect(program.run("collate results --out dataset --pool-revisions").code == 0)
        for source in ["results", "dataset"] {
            let free = program.run("analyse \(source)")
            #expect(free.output.hasPrefix("exploratory: the study is registered"), "\(free.output)")
            let text = program.run("analyse \(source) --registered registration")
            #expect(text.code == 0, "\(text.errors)")
            #expect(text.output.hasPrefix("the registered analysis of calm, registered on "))
            #expect(
                text.output.contains("calm: 4 sessions (4 completed) of 4 participants"), "\(text.output)")
            #expect(text.output.contains("the study was not as registered: P04"))
            #expect(text.output.contains("departed from the protocol: P05, session 1: the door was open"))
            let told = try json("analyse \(source) --registered registration --format json")
            #expect(told["registered"]?["study"] == "calm" && told["unregistered"]?.list?.count == 1)
            #expect(told["deviations"]?.list?.count == 1)
            let outcomes = told["studies"]?.list?.first?["outcomes"]?.list
            #expect(outcomes?.count == 1 && outcomes?.first?["rank"] == "primary")
        }
        let report = program.run("report dataset --registered registration --out report.html")
        #expect(report.code == 0, "\(report.errors)")
        let page = Program.text(of: program.folder.path + "/report.html")
        #expect(page.contains("The registered analysis of calm") && page.contains("the door was open"))
        #expect(page.contains("--registered registration"))
        #expect(program.run("analyse dataset --registered registration --seed 2").code == 64)
        #expect(program.run("analyse dataset --registered registration --pool-revisions").code == 64)
        let missing = program.run("analyse dataset --registered gone")
        #expect(missing.code == 69 && missing.errors.contains("there is no registration in 'gone'"))
        _ = program.lines(of: "sed -i s/Calm/Calmer/ registration/files/1-first.yaml")
        let forged = program.run("analyse dataset --registered registration")
        #expect(
            forged.code == 65 && forged.errors.contains("it is not what was registered"), "\(forged.errors)")
    }

    /// Answers the request for a time stamp, as an authority with the certificate `c.pem` does.
    private func stamp(_ file: String) -> [String] {
        program.lines(
            of: """
                (exec 2>/dev/null; printf '%s\\n' '[req]' 'distinguished_name=n' '[n]' '[x]' \
                'extendedKeyUsage=critical,timeStamping' '[tsa]' 'default_tsa=t' '[t]' 'serial=serial' 'signer_digest=sha256' \
                'default_policy=1.2.3.4' 'digests=sha256' 'accuracy=secs:1' >tsa.cnf; echo 01 >serial; \
                for name in c other; do openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj /CN=$name \
                -config tsa.cnf -extensions x; done; \
                openssl ts -reply -config tsa.cnf -queryfile \(file).tsq -signer c.pem -inkey c.key \
                -out \(file).tsr; echo made)
                """)
    }

    @Test(.enabled(if: !Program().lines(of: "(command -v openssl)").isEmpty, "openssl is not installed"))
    func `a time stamp is verified, and only what began later counts as registered`() throws {
        let plain = Self.study.replacing(", registration: registration", with: "")
        #expect(freeze(plain).code == 0)
        for code in ["P01", "P02"] { #expect(run("--participant \(code)").code == 0) }
        #expect(stamp("registration/registration") == ["made"])
        let command = "analyse results --registered registration"
        #expect(program.run(command).output.contains("its time stamp is not verified"))
        let all = program.run("\(command) --authority c.pem")
        #expect(all.output.hasPrefix("registered after 2 of 2 sessions: exploratory;"), "\(all.output)")
        #expect(all.output.contains("after the beginning of 2 of 2 sessions"))
        let other = program.run("\(command) --authority other.pem")
        #expect(
            other.code == 65 && other.errors.contains("is no time stamp of 'registration/registration.json'"))
        #expect(program.run("\(command) --authority gone.pem").code == 69)
        #expect(program.run("analyse results --authority c.pem").code == 64)

        _ = program.write(Self.study, "study.yaml")
        for code in ["P03", "P04"] { #expect(run("--participant \(code)").code == 0) }
        let some = program.run("\(command) --authority c.pem")
        #expect(some.output.hasPrefix("the registered analysis of calm, stamped on 20"), "\(some.output)")
        #expect(some.output.contains("registered after 2 of 4 sessions, and only the later ones count"))
        #expect(some.output.contains("calm: 2 sessions (2 completed) of 2 participants"))
        #expect(some.output.contains("not shown to be later than the registration: P01"))
        let told = try json("\(command) --authority c.pem --format json")
        #expect(told["beforeRegistration"]?.list?.count == 2 && told["registered"]?["stamped"]?.text != nil)

        _ = program.lines(
            of:
                "(cp results/.log/checkpoint kept; openssl ts -query -data kept -sha256 -cert -out kept.tsq 2>/dev/null)"
        )
        let unstamped = program.run("study log results --checkpoint kept --authority c.pem")
        #expect(unstamped.code == 69 && unstamped.errors.contains("kept.tsr"), "\(unstamped)")
        #expect(stamp("kept") == ["made"])
        let stamped = program.run("study log results --checkpoint kept --authority c.pem")
        #expect(
            stamped.code == 0 && stamped.errors.contains("with 8 of the entries was stamped 20"), "\(stamped)"
        )
        #expect(program.run("study log results --checkpoint kept --authority other.pem").code == 65)
        #expect(program.run("study log results --authority c.pem").code == 64)
    }

    @Test func `check tells of a registered clip that was exchanged`() throws {
        let clips = ["chill_preview_3.ogg", "chill_preview_4.ogg"]
        for clip in clips { _ = program.lines(of: "cp \(Program.root)Media/\(clip) .") }
        _ = program.write("entrain: 1\nclips: [{identifier: one, file: \(clips[0])}]\n", "clips.yaml")
        let study = """
            entrain: 1
            study: {identifier: heard, title: Heard, registration: registration}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: day
                steps:
                  - {type: active, identifier: hear, title: Hear, duration: 5 s, stimulus: {play: one}}
                  - {type: completion, identifier: done, title: Done}
            """
        #expect(freeze(study).code == 0)
        #expect(!program.run("check study.yaml").output.contains("changed-study"))
        _ = program.lines(of: "cp \(clips[1]) \(clips[0])")
        let told = program.run("check study.yaml").output
        #expect(
            told.contains("warning[changed-study]") && told.contains("the clip \(clips[0]) is another file"))
    }

    @Test func `a registration that is younger than its data is exploratory`() throws {
        let plain = Self.study.replacing(", registration: registration", with: "")
        #expect(freeze(plain, to: "unused").code == 0)
        for code in ["P01", "P02", "P03"] { #expect(run("--participant \(code)").code == 0) }
        #expect(program.run("freeze first.yaml --out late").code == 0)
        let date = try #require(
            try JSON(parsing: Array(Program.text(of: program.folder.path + "/late/registration.json").utf8))[
                "date"]?
                .text)
        // Runs of less than a second may have begun in the second in which it was written.
        let year = try #require(Int(date.prefix(4)))
        _ = program.lines(of: "sed -i s/\(year)-/\(year + 1)-/ late/registration.json")
        let late = program.run("analyse results --registered late")
        #expect(
            late.code == 0 && late.output.hasPrefix("registered after 3 of 3 sessions: exploratory;"),
            "\(late.output)")
        let told = try json("analyse results --registered late --format json")
        #expect(told["registered"]?["exploratory"] == true && told["registered"]?["earlier"] == 3)
        // A date that was set back proves nothing: the sessions do not name this registration.
        _ = program.lines(of: "sed -i 's/\"date\":\"[0-9]*-/\"date\":\"2001-/' late/registration.json")
        let early = program.run("analyse results --registered late")
        #expect(
            early.output.hasPrefix("3 of 3 sessions do not name the registration: exploratory;"),
            "\(early.output)")
    }

    @Test func `what a bundle's study says is worked out again`() throws {
        #expect(freeze().code == 0)
        #expect(run("--participant P01").code == 0)
        #expect(run("--participant P02").code == 0)
        let bundle = try #require(program.lines(of: "ls -d results/* | head -1").first)
        #expect(program.run("verify \(bundle)").code == 0)
        // Another question, with all checksums made anew, and without the log, which knows what was sealed.
        _ = program.lines(
            of: """
                rm -r results/.log; cd \(bundle); old=$(sha256sum study.yaml | cut -c1-64); sed -i 's/title: Mood/title: Calm/' study.yaml; \
                new=$(sha256sum study.yaml | cut -c1-64); sed -i s/$old/$new/g manifest.json journal.jsonl; \
                before=$(grep ' journal.jsonl' SHA256SUMS | cut -c1-64); after=$(sha256sum journal.jsonl | cut -c1-64); \
                sed -i s/$before/$after/g manifest.json; cut -c67- SHA256SUMS | xargs sha256sum >/tmp/sums.$$; mv /tmp/sums.$$ SHA256SUMS
                """)
        let verified = program.run("verify \(bundle)")
        #expect(
            verified.code == 65 && verified.output.contains("study.yaml does not say what was run"),
            "\(verified.output)\(verified.errors)")
        let deviations = program.run("deviations results --registration registration").output
        #expect(
            deviations.contains("the bundle was altered: study.yaml does not say what was run"),
            "\(deviations)")
        #expect(deviations.contains("mood.title is Calm, was Mood"), "\(deviations)")
        let analysed = program.run("analyse results --registered registration")
        #expect(analysed.code == 65 && analysed.output.contains("1 session (1 completed) of 1 participant"))
    }

    @Test func `a study without a registration is not changed within a revision`() throws {
        let study = Self.study.replacing(", registration: registration", with: "")
        #expect(freeze(study).code == 0)
        #expect(run("--participant P01").code == 0)
        _ = program.write(study.replacing("to: 5", with: "to: 7"), "study.yaml")
        let refused = run("--participant P02")
        #expect(
            refused.code == 65 && refused.errors.contains("though both are revision 1"), "\(refused.errors)")
        #expect(run("--participant P02 --deviation 'a wider scale'").code == 0)
        // The first session is what others are compared with, not the one that departed.
        #expect(run("--participant P03").code == 65)
        _ = program.write(
            study.replacing("to: 5", with: "to: 7").replacing("seed: 1", with: "seed: 1, revision: 2"),
            "study.yaml")
        #expect(run("--participant P03").code == 0)
        let lines = program.run("deviations results").output
        #expect(lines.contains("3 sessions, 1 of them with deviations"), "\(lines)")
        #expect(lines.contains("not the study of the first session of this revision: tasks.day"))
    }

    @Test func `a registration that is none keeps the study from running`() throws {
        #expect(freeze().code == 0)
        _ = program.lines(of: "echo '{}' >registration/registration.json")
        let refused = run("--participant P01")
        #expect(refused.code == 65 && refused.output.contains("it is no registration"), "\(refused.output)")
        _ = program.lines(of: "rm -r registration")
        #expect(program.run("check study.yaml").output.contains("entrain freeze"))
    }
}
