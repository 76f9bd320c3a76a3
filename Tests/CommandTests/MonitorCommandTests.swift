import Testing

@Suite struct MonitorCommandTests {
    let program = Program()

    @Test func `passes on what was asked, and how it ended`() {
        let made = program.run("token create --scope ingest --name=-phone --data kept")
        #expect(made.code == 0)
        #expect(made.output.hasPrefix("entrain_") && made.output.utf8.count == 8 + 64 + 1)
        #expect(program.run("token list --data kept").output == "-phone\tingest\n")
        #expect(program.run("token revoke --data kept -- -phone").code == 0)
        let again = program.run("token revoke --data kept -- -phone")
        #expect(again.code == 65 && again.errors.contains("there is no token '-phone'"))
    }

    @Test func `a token may have several scopes`() {
        let made = program.run("token create --scope delete --scope control --name kim --data kept")
        #expect(made.code == 0)
        #expect(program.run("token list --data kept").output == "kim\tcontrol,delete\n")
        let wrong = program.run("token create --scope control --scope everything --name eve --data kept")
        #expect(wrong.code == 64)
        for scope in ["everything", "ingest", "deliver", "read", "control", "delete", "allocate"] {
            #expect(wrong.errors.contains(scope), "\(wrong.errors)")
        }
        #expect(program.run("token list --data kept").output == "kim\tcontrol,delete\n")
        #expect(program.run("token create --name nobody --data kept").code == 64)
    }

    @Test(arguments: [
        "serve --host 0.0.0.0", "serve --port 99999", "serve --key k.pem",
        "token create --scope both --name x",
    ])
    func `wrong usage ends with 64`(arguments: String) {
        let outcome = program.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("rror: "))
    }

    @Test(arguments: [
        ("http://192.0.2.1:8080", "", 64), ("http://localhost@lab.example/", "", 64),
        ("http://127.0.0.1.lab.example", "", 64),
        ("HTTP://lab.example", "", 64), ("http://lab.example", "--token-over-http", 0),
        ("https://lab.example", "", 0),
        ("http://localhost:1", "", 0), ("http://127.0.0.1:1", "", 0), ("http://[::1]:1", "", 0),
    ])
    func `sends no token to another machine over plain HTTP unless told`(
        url: String, option: String, code: Int
    ) {
        let outcome = program.run(
            "deliver . --to \(url) \(option)", environment: "ENTRAIN_MONITOR_TOKEN=entrain_secret")
        #expect(Int(outcome.code) == code, "\(outcome.errors)")
        #expect(!outcome.errors.contains("entrain_secret"))
        if code == 64 { #expect(outcome.errors.contains("--token-over-http")) }
        #expect(
            program.run("deliver . --to \(url)").code == 0, "without a token there is nothing to lose")
    }

    @Test func `a folder that is not there is no folder without bundles`() {
        let outcome = program.run("deliver nowhere --to http://localhost:1")
        #expect(outcome.code == 69 && outcome.errors.contains("cannot open nowhere"))
    }

    @Test(arguments: [
        ("--source heartRate=simulated --to nowhere", 64, "--to is an address such as"),
        ("--source sensor --to http://localhost:1", 64, "'sensor' is not a kind of source"),
        ("--source simulated --to http://localhost:1 --name 'my strap'", 64, "--name takes 1 to 48 letters"),
        ("--source simulated --to http://localhost:1 --for soon", 64, "'soon'"),
        ("--source replay:missing.csv --to http://localhost:1", 69, "missing.csv"),
        ("--source simulated --to http://localhost:1 --for 2s", 69, "could not be sent"),
    ])
    func `a relay that cannot work says why`(options: String, code: Int, words: String) {
        let outcome = program.run("relay \(options)")
        #expect(Int(outcome.code) == code && outcome.errors.contains(words), "\(outcome)")
    }

    @Test func `says how to build a monitor that is not there`() {
        _ = program.lines(of: "cp \(Program.executables)/entrain alone")
        let outcome = program.run("serve", of: "./alone")
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("swift build -c release --product entrain-monitor"))
    }
}
