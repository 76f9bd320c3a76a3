import Testing

/// The rules of the style page that a program can see.
@Suite struct HouseRules {
    static let sources = SourceFile.all.filter { !$0.isTest }
    static let tests = SourceFile.all.filter { $0.isTest && $0.room != "TidyTests" }
    static let pure = sources.filter {
        [
            "TextFormat", "Hashing", "StudyModel", "Patterns", "Physiology", "StudyFile", "StudyEngine",
        ].contains($0.room)
    }

    @Test func `finds the project`() {
        #expect(Self.sources.count > 20)
        #expect(Self.tests.count > 10)
    }

    @Test(arguments: SourceFile.all)
    func `files stay readable in one sitting`(file: SourceFile) {
        #expect(file.lines.count <= 400)
    }

    @Test(arguments: sources)
    func `functions have at most 60 lines and 8 parameters`(file: SourceFile) {
        let shapes = FunctionShape.all(in: file.lines.joined(separator: "\n"))
        let tooLarge = shapes.filter { shape in
            shape.lineCount > 60 || shape.parameterCount > 8
        }
        #expect(tooLarge == [])
    }

    @Test func `measures a function by its braces and parentheses`() {
        let text = #"""
            protocol Law { func of<Value>(_ a: Dictionary<Int, Value>, b: (Int, Int) -> Void) -> Int }
            init(a: Int, b: Int = value(1, 2)) { self.init("}, {", "\(call { 1 }) (") }  // {
            func none() -> [Int] {
                let text = """
                    { "no code" }
                    """
                return text.map { $0 }
            }
            case many(a: Int, b: Int, c: Int)
            var doubled: Int { 2 * value }
            """#
        #expect(
            FunctionShape.all(in: text) == [
                FunctionShape(line: 2, name: "init", lineCount: 1, parameterCount: 2),
                FunctionShape(line: 3, name: "none", lineCount: 6, parameterCount: 0),
                FunctionShape(line: 10, name: "doubled", lineCount: 1, parameterCount: 0),
            ])
        let law = FunctionShape.all(in: text.replacing("-> Int }", with: "-> Int { 1 } }"))
        #expect(law.first == FunctionShape(line: 1, name: "of", lineCount: 1, parameterCount: 2))
    }

    /// Rooms that do without the C library.
    static let portable = ["TextFormat", "Hashing", "StudyModel", "Patterns", "StudyEngine"]

    @Test(arguments: sources)
    func `imports only what its room may`(file: SourceFile) throws {
        let room = try #require(Room.all[file.room], "a room that Package.swift does not know")
        let system = Self.portable.contains(file.room) ? [] : ["Glibc"]
        let allowed = room.dependencies.union(system)
        for line in file.code {
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count, index <= 1 else {
                continue
            }
            let module = words[index + 1]
            #expect(allowed.contains(module) || module == "Synchronization", "\(module)")
        }
    }

    /// Swift takes the types of a system's header for those of the first module that includes it: an optimised build
    /// then refuses what another room does with them.
    @Test(arguments: SourceFile.headers)
    func `headers of our own include nothing that has types of the system`(file: SourceFile) {
        for line in file.lines where line.hasPrefix("#include <") {
            #expect(["<stdbool.h>", "<stddef.h>", "<stdint.h>"].contains { line.hasSuffix($0) }, "\(line)")
        }
    }

    @Test func `the architecture page names every room, and nothing that is no target`() throws {
        let page = SourceFile.architecture
        let (begin, end) = (page.firstIndex(of: "## Rooms"), page.firstIndex(of: "## Words"))
        let rows = page[try #require(begin)..<(try #require(end))].filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { Room.quoted($0.split(separator: "|")[0], by: "`") }
        #expect(Set(named).count == named.count)
        #expect(Set(Self.sources.map(\.room)).isSubset(of: named))
        for name in named {
            #expect(SourceFile.manifest.places(of: "name: \"\(name)\"") != [], "\(name)")
        }
    }

    @Test(arguments: pure)
    func `has no clock and no chance of its own`(file: SourceFile) {
        for word in [
            "Date()", "UUID(", ".shuffled(", ".randomElement(", "SystemRandomNumberGenerator",
            "ContinuousClock",
            "clock_gettime",
        ] {
            #expect(file.places(of: word) == [], "\(word)")
        }
    }

    @Test(arguments: tests)
    func `never waits for time in a test`(file: SourceFile) {
        for word in ["Task.sleep", "usleep(", "Task.yield", "Thread.sleep", "nanosleep("] {
            #expect(file.places(of: word) == [], "\(word)")
        }
    }

    /// A thread waits for what wakes it: a descriptor, a semaphore, a child's end of a pipe.
    @Test(arguments: sources)
    func `never looks again and again whether something has come`(file: SourceFile) {
        for word in ["nanosleep(", "usleep(", "Thread.sleep", "WNOHANG", "sched_yield("] {
            #expect(file.places(of: word) == [], "\(word)")
        }
    }

    @Test(arguments: sources)
    func `leaves no trap and no old habit`(file: SourceFile) {
        for word in [
            "fatalError(", "try!", "as!", "[String: Any", "DispatchQueue", "NSLock", "@preconcurrency",
        ] {
            #expect(file.places(of: word) == [], "\(word)")
        }
    }

    /// Without one, the name is made of the type's, which looks through all conformances of the program at each start.
    @Test(arguments: sources.filter { $0.places(of: "CommandConfiguration(") != [] })
    func `names each command`(file: SourceFile) {
        let text = file.code.joined(separator: "\n")
        for part in text.split(separator: "CommandConfiguration(").dropFirst() {
            #expect(part.drop(while: \.isWhitespace).hasPrefix("commandName:"))
        }
    }

    @Test(arguments: sources)
    func `says why where the compiler cannot know`(file: SourceFile) {
        for (index, line) in file.code.enumerated()
        where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
            let above = file.lines[max(0, index - 3)..<index]
            #expect(above.contains { $0.contains("SAFETY:") }, "line \(index + 1)")
        }
    }

    /// The rooms of the commands, which build the world.
    static let commands = ["Console", "WritingCommands", "ResultCommands", "RunningCommands"]

    @Test(arguments: sources.filter { !commands.contains($0.room) })
    func `keeps its tasks in a structure`(file: SourceFile) {
        // "Task {" also ends a declaration about the study's own tasks.
        let unstructured = file.places(of: "Task {").filter { line in
            let code = file.code[line - 1]
            return !["extension", "struct", "func", "->"].contains { code.contains($0) }
        }
        #expect(unstructured == [])
        #expect(file.places(of: "Task.detached") == [])
    }

    /// Keys of a bundle's results, manifest and items that mean nothing else anywhere.
    static let bundleKeys = [
        "_class", "userInfo", "startOffset", "endOffset", "onsetOffset", "plannedDuration", "actualDuration",
        "skipReason", "recorderErrors", "sampleCount", "lateSamples", "droppedSamples", "sourceInformation",
        "finishReason", "taskRunUUID", "fileName", "contentType", "runUUID", "studySHA256", "bundleVersion",
        "clockAdjusted", "runOffset", "arrivalOffset", "rrIntervals", "timestampSince1970", "sensorContact",
        "scaleAnswer", "choiceAnswers", "booleanAnswer", "numericAnswer", "dateAnswer", "questionType",
        "dateComponentsAnswer", "givenName",
    ]

    @Test(arguments: sources.filter { !$0.path.hasPrefix("Sources/Results/Wire/") })
    func `spells no key of a bundle outside of the room's wire`(file: SourceFile) {
        for key in Self.bundleKeys {
            // A recorder of a study has the same name.
            if key == "rrIntervals", file.path == "Sources/StudyModel/Signals/Signal.swift" { continue }
            #expect(!file.code.contains { $0.contains("\"\(key)\"") }, "\(key)")
        }
    }

    /// Every protocol of the product; each has laws and a contract test, or says why not. Two only share code: the forms
    /// of `Results/Wire`, and the two dialogues of a conversation.
    static let protocols: Set<String> = [
        "SampleSource", "Prompter", "StimulusPlayer", "ExportWriter", "Wired", "Conversing",
    ]

    @Test(arguments: sources)
    func `declares no protocol for the sake of a mock`(file: SourceFile) {
        for line in file.code {
            let words = line.split { " :<{".contains($0) }.map(String.init)
            guard let index = words.firstIndex(of: "protocol"), index <= 1, index + 1 < words.count else {
                continue
            }
            #expect(Self.protocols.contains(words[index + 1]))
        }
    }

    @Test(arguments: sources)
    func `names things by what they are`(file: SourceFile) {
        let vague = ["Manager", "Helper", "Utility", "Utils", "Util", "Service", "Handler"]
        for line in file.code {
            let words = line.split { " :<{(".contains($0) }.map(String.init)
            guard let index = words.firstIndex(where: { ["struct", "class", "enum", "actor"].contains($0) }),
                index <= 3, index + 1 < words.count
            else { continue }
            #expect(!vague.contains { words[index + 1].hasSuffix($0) }, "\(words[index + 1])")
        }
    }
}
