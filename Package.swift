// swift-tools-version: 6.3
import PackageDescription

/// The strictness of every Swift target: warnings fail the build, unsafe code is named as such.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Rooms that count and compute are optimised in debug builds too: their tests take a tenth of the time.
let computing: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Swift's own libraries within the program: it starts in two thirds of the time, and runs where no Swift is installed.
/// Those that are named are parts of FoundationEssentials, which ArgumentParser uses, and of Foundation, which the
/// monitor's packages use; gold would warn of a function in them. No other program calls functions of this one: what
/// it does not call itself is left out.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-l_FoundationCollections", "-l_FoundationCShims",
            "-l_FoundationICU",
            "-lCoreFoundation", "-Xlinker", "--no-export-dynamic",
        ],
        .when(configuration: .release))
]

/// What a release is called beyond its version, as `+` and the commit of which it is made; `Sources/Packaging/package.sh`
/// says it.
let build = Context.environment["ENTRAIN_BUILD"] ?? ""

/// Only `entrain-monitor` needs the packages of its server; `swift build --disable-default-traits --product entrain`
/// does not even fetch them.
let server: TargetDependencyCondition? = .when(traits: ["Monitor"])

let package = Package(
    name: "entrain",
    products: [
        .executable(name: "entrain", targets: ["entrain"]),
        .executable(name: "entrain-monitor", targets: ["entrain-monitor"]),
        // Preloaded into the program that `entrain drill` breaks; it lies beside it and is in no program.
        .library(name: "EntrainFaults", type: .dynamic, targets: ["CFaults"]),
        .library(name: "StudyModel", targets: ["StudyModel"]),
        .library(name: "Results", targets: ["Results", "Hashing", "TextFormat"]),
    ],
    traits: [
        .trait(name: "Monitor", description: "The program entrain-monitor, with the packages of its server."),
        .default(enabledTraits: ["Monitor"]),
    ],
    dependencies: [
        // Commands, options, help and shell completions as every Swift command-line tool has them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The monitor's web server: HTTP/1.1 and TLS on SwiftNIO with back pressure and graceful shutdown.
        // Without its readers of configuration files, which take long to build.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // What Hummingbird is made of and its interfaces name: bytes and channels, parts of a message, header
        // fields, the order in which services end, log lines.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        // The monitor's store: SQLite with migrations, prepared statements and readers beside the writer.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The YAML parser of the system, as the product's owner asked.
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // SHA-256 by the processor's own instructions where it has them, and Base64, without a cryptography package that
        // takes minutes to build.
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        // Ed25519, with which logs are signed; a part of Nettle.
        .systemLibrary(name: "CHogweed", pkgConfig: "hogweed", providers: [.apt(["nettle-dev"])]),
        // gzip, in which BIDS wants its recordings, and what others pack theirs in.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Zstandard, which makes Parquet's pages a tenth of their size, and which its readers unpack fastest.
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        // Sound devices. Debian's own description of PortAudio names `-pthread`, which the package manager does not
        // let pass: it is not asked.
        .systemLibrary(name: "CPortAudio", providers: [.apt(["portaudio19-dev"])]),
        // Reads WAV, FLAC, Ogg, MP3 and Opus, and writes WAV and FLAC.
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        // Streams the XML of watches and telephones, gigabytes in constant memory.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        // The audio callbacks: what must never lock or allocate is written in C.
        .target(
            name: "CAudioStream", dependencies: ["CPortAudio"], linkerSettings: [.linkedLibrary("asound")]),
        // Libraries that are loaded when first needed, so that every other command starts without them: libcurl,
        // libsystemd, libebur128, SoundTouch and liblsl. Compiled against their headers, apt libcurl4-openssl-dev,
        // libsystemd-dev, libebur128-dev and libsoundtouch-dev.
        .target(name: "CLoaded", linkerSettings: [.linkedLibrary("dl")]),
        // No Swift is in it, and it is loaded into programs without Swift's libraries.
        .target(
            name: "CFaults",
            linkerSettings: [
                .linkedLibrary("dl"),
                .unsafeFlags(
                    [
                        "-static-stdlib", "-nostartfiles", "-use-ld=lld", "-Xlinker",
                        "-soname=libEntrainFaults.so",
                    ],
                    .when(configuration: .release)),
            ]),
        // Patterns of studies, matched in time linear in the text.
        .target(name: "CPattern", linkerSettings: [.linkedLibrary("re2"), .linkedLibrary("stdc++")]),
        // The version of the programs.
        .target(name: "CVersion", cSettings: [.define("ENTRAIN_BUILD", to: "\"\(build)\"")]),
        // Calls that Swift's module of the C library leaves out, such as the timer slack of a thread.
        .target(name: "CPlatform"),
        // What is written or read in many rooms: JSON, numbers, dates and names as text.
        .target(name: "TextFormat", swiftSettings: computing),
        // SHA-256 for seeds, files, ledgers and signatures.
        .target(name: "Hashing", dependencies: ["TextFormat", "CNettle"], swiftSettings: computing),
        .target(name: "StudyModel", dependencies: ["TextFormat"], swiftSettings: strict),
        // Texts that must match a pattern, for those who check studies and those who ask.
        .target(name: "Patterns", dependencies: ["StudyModel", "CPattern"], swiftSettings: strict),
        .target(name: "Physiology", dependencies: ["StudyModel"], swiftSettings: computing),
        .target(
            name: "Platform", dependencies: ["StudyModel", "TextFormat", "Hashing", "CLoaded", "CPlatform"],
            swiftSettings: strict),
        // What `entrain explain` says is compiled in, so that the program is one file.
        .target(
            name: "StudyFile", dependencies: ["StudyModel", "TextFormat", "Patterns", "CLibYAML"],
            resources: [.embedInCode("Diagnostics/Pages.md")], swiftSettings: strict),
        .target(
            name: "StudyEngine", dependencies: ["StudyModel", "TextFormat", "Hashing", "Physiology"],
            swiftSettings: computing),
        .target(
            name: "Results", dependencies: ["StudyModel", "TextFormat", "Hashing", "Platform", "CZlib"],
            swiftSettings: strict),
        .target(
            name: "BundleReplay",
            dependencies: [
                "StudyModel", "TextFormat", "Hashing", "Physiology", "Platform", "StudyFile", "StudyEngine",
                "Results", "CSndFile",
            ],
            swiftSettings: strict),
        // What a run asks of the world and tells it: sources, players and prompters are built without the run.
        .target(
            name: "SessionPorts",
            dependencies: ["StudyModel", "TextFormat", "Results"],
            resources: [.embedInCode("Words")],
            swiftSettings: strict),
        .target(
            name: "StudySession",
            dependencies: [
                "Hashing", "StudyModel", "TextFormat", "Patterns", "Physiology", "Platform", "StudyEngine",
                "Results",
                "SessionPorts", "CPlatform",
            ],
            swiftSettings: strict),
        // What is computed of numbers, and knows of no study.
        .target(
            name: "Statistics", dependencies: ["TextFormat", "Physiology"],
            swiftSettings: computing),
        // What leaves the house: pseudonyms, shifted days, and texts that could tell who somebody is.
        .target(
            name: "Deidentifying",
            dependencies: ["Hashing", "Platform", "StudyModel", "TextFormat", "Results"],
            swiftSettings: computing),
        // Bundles as tables, and datasets as folders.
        .target(
            name: "Datasets",
            dependencies: [
                "Hashing", "Platform", "StudyModel", "TextFormat", "Results", "Physiology", "BundleReplay",
                "Deidentifying", "CZstd",
            ],
            swiftSettings: computing),
        // What happened in a results folder, in an order that nobody can change unseen.
        .target(
            name: "TransparencyLog",
            dependencies: ["Hashing", "Platform", "TextFormat", "CHogweed"],
            swiftSettings: computing),
        // Who took part, who is due, who has withdrawn, and the collation of all that was found.
        .target(
            name: "Participants",
            dependencies: [
                "Platform", "StudyModel", "TextFormat", "StudyEngine", "Results", "Deidentifying", "Datasets",
                "TransparencyLog",
            ],
            swiftSettings: computing),
        // What a study's outcomes say, and how large it must be.
        .target(
            name: "Analysing",
            dependencies: [
                "Hashing", "Platform", "StudyModel", "TextFormat", "Results", "Physiology", "BundleReplay",
                "Recordings", "Statistics", "Deidentifying", "Datasets", "Participants", "TransparencyLog",
            ],
            resources: [.embedInCode("Scripts/analyse.R"), .embedInCode("Scripts/analyse.py")],
            swiftSettings: computing),
        // Who gets which arm: the draws, their secret, and the ledger.
        .target(
            name: "Allocating",
            dependencies: ["Hashing", "Platform", "StudyModel", "TextFormat", "CPlatform"],
            swiftSettings: computing),
        // What breaks runs on purpose, and judges what is left. Its own study is compiled in.
        .target(
            name: "Drill",
            dependencies: [
                "Hashing", "TextFormat", "Platform", "StudyModel", "Physiology", "StudyEngine", "Results",
                "CPlatform",
            ],
            resources: [.embedInCode("drill.yaml"), .embedInCode("drill-ledger.yaml")], swiftSettings: strict),
        // What is made of a dataset for other programs and for people, once.
        .target(
            name: "Exports",
            dependencies: [
                "Hashing", "Platform", "StudyModel", "TextFormat", "StudyEngine", "Results", "Physiology",
                "BundleReplay", "Statistics", "Deidentifying", "Datasets", "Participants", "Analysing",
            ],
            swiftSettings: strict),
        .target(
            name: "Recordings",
            dependencies: ["Platform", "StudyModel", "TextFormat", "Physiology", "Results", "CExpat"],
            swiftSettings: computing),
        .target(
            name: "Sound",
            dependencies: [
                "Hashing", "SessionPorts", "StudyModel", "TextFormat", "Platform", "CSndFile",
                "CPortAudio",
                "CAudioStream", "CLoaded",
            ], swiftSettings: strict),
        .target(
            name: "Signals",
            dependencies: [
                "SessionPorts", "StudyModel", "TextFormat", "Platform", "Physiology", "Results", "Recordings",
                "CLoaded", "CPlatform",
            ], swiftSettings: strict),
        // What a monitor's server and those who tell it something agree on.
        .target(
            name: "MonitorInterface",
            dependencies: [
                "StudyModel", "TextFormat",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "MonitorClient",
            dependencies: [
                "Hashing", "SessionPorts", "StudyModel", "TextFormat", "Platform", "Physiology", "Results",
                "Recordings", "TransparencyLog",
                "MonitorInterface",
            ], swiftSettings: strict),
        .target(
            name: "Terminal",
            dependencies: ["SessionPorts", "Patterns", "StudyModel", "TextFormat", "Platform", "Physiology"],
            swiftSettings: strict),
        // Its pages are compiled in, so that the server is one file and needs no folder beside it.
        .target(
            name: "Monitor",
            dependencies: [
                "Hashing", "Platform", "StudyModel", "TextFormat", "Results", "Physiology", "Allocating",
                "MonitorInterface", "TransparencyLog",
                "CNettle",
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOPosix", package: "swift-nio", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ],
            resources: [.embedInCode("Pages"), .embedInCode("Words")],
            swiftSettings: strict),
        .executableTarget(
            name: "entrain-monitor",
            dependencies: [
                "Platform", "Monitor", "MonitorInterface", "Allocating", "Results", "CVersion",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strict, linkerSettings: standalone),
        // What the commands share: what they print and ask, and the options of several.
        .target(
            name: "Console",
            dependencies: [
                "Hashing", "SessionPorts", "StudyModel", "TextFormat", "Physiology", "Platform", "StudyFile",
                "StudyEngine", "Results", "BundleReplay", "Participants", "Terminal", "StudySession",
                "Signals", "Sound",
                "MonitorClient", "Recordings", "Allocating", "Datasets", "CVersion",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // People at a pseudo-terminal: what they see, type, mean and miss.
        .target(
            name: "People",
            dependencies: [
                "Hashing", "SessionPorts", "StudyModel", "Patterns", "TextFormat", "Platform", "StudyEngine",
                "Results", "CPlatform",
            ],
            swiftSettings: strict),
        // The commands with which a study is written and tried out.
        .target(
            name: "WritingCommands",
            dependencies: [
                "Console", "People", "Hashing", "SessionPorts", "StudyModel", "TextFormat", "Physiology",
                "Platform",
                "StudyFile", "StudyEngine", "Results", "BundleReplay", "StudySession", "Sound", "Signals",
                "Statistics", "Datasets", "Analysing", "Exports", "Allocating", "TransparencyLog",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The commands that look at results and at recordings of a heart.
        .target(
            name: "ResultCommands",
            dependencies: [
                "Console", "Hashing", "SessionPorts", "StudyModel", "TextFormat", "Physiology", "Platform",
                "StudyFile", "StudyEngine", "Results", "BundleReplay", "StudySession", "Sound", "Signals",
                "MonitorClient", "Terminal", "Deidentifying", "Datasets", "Participants",
                "Statistics", "Analysing", "Exports", "Recordings", "Allocating", "TransparencyLog",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The commands that run sessions, get ready for them, break them, and tell a monitor.
        .target(
            name: "RunningCommands",
            dependencies: [
                "Console", "ResultCommands", "SessionPorts", "StudyModel", "TextFormat", "Platform",
                "StudyFile",
                "StudyEngine", "Results", "BundleReplay", "StudySession", "Sound", "Signals", "MonitorClient",
                "Terminal", "Datasets", "Deidentifying", "Participants", "Drill", "Allocating",
                "TransparencyLog",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "entrain",
            dependencies: [
                "Console", "WritingCommands", "ResultCommands", "RunningCommands", "MonitorInterface",
                "Platform", "TextFormat", "StudyModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict, linkerSettings: standalone),
        .target(
            name: "StudyTesting",
            dependencies: ["StudyModel", "Platform", "StudyFile", "SessionPorts"],
            path: "Tests/StudyTesting",
            swiftSettings: strict),
        // The pulse detector's speed against its limits; Tests/Benchmarks/pulse_speed.py compares it with others.
        .executableTarget(
            name: "PulseSpeed", dependencies: ["Physiology", "Recordings"],
            path: "Tests/Benchmarks/PulseSpeed",
            swiftSettings: strict),
        .testTarget(
            name: "TextFormatTests", dependencies: ["TextFormat"], swiftSettings: strict),
        .testTarget(
            name: "StudyModelTests", dependencies: ["StudyModel"], swiftSettings: strict),
        .testTarget(
            name: "PhysiologyTests", dependencies: ["Physiology", "Results", "StudyTesting"],
            exclude: ["breathing_agreement.py", "ecg_agreement.py", "pulse_accuracy.py"],
            swiftSettings: strict),
        .testTarget(
            name: "StudyFileTests", dependencies: ["StudyFile", "StudyTesting", "TextFormat"],
            exclude: [
                "Fixtures", "Golden", "other_readers.py", "schema_agreement.py", "study_meaning.py",
                "translations.py",
                "prose", "prose_protocols.py", "yaml12.py",
            ], swiftSettings: strict),
        .testTarget(
            name: "StudyEngineTests", dependencies: ["Hashing", "StudyEngine", "StudyTesting"],
            exclude: ["second_implementation.py"], swiftSettings: strict),
        .testTarget(
            name: "ResultsTests",
            dependencies: ["Hashing", "Platform", "Results", "TextFormat", "StudyTesting"],
            exclude: ["Golden", "bundle_schemas.py"],
            swiftSettings: strict),
        .testTarget(
            name: "StudySessionTests",
            dependencies: [
                "Hashing", "SessionPorts", "StudySession", "BundleReplay", "Sound", "Signals", "StudyTesting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DatasetsTests",
            dependencies: [
                "Hashing", "Platform", "StudyEngine", "Datasets", "Results", "TextFormat", "Physiology",
                "StudyTesting",
                "Statistics", "Participants", "Analysing",
            ],
            exclude: [
                "agreement.py", "check.sh", "collate_faults.py", "contrasts_agreement.py", "crossovers.py",
                "csv_defaults.py", "examples.py", "exports.py", "leak_bundles.py", "leak_search.py",
                "leak_study.py", "leak_values.py", "leaks.py", "outcomes_agreement.py",
                "parquet_agreement.py",
                "power_agreement.py", "report_looks.py", "robustness.py", "scripts.py", "sealing.py",
                "sql_agreement.py",
                "traps.py", "spss_agreement.py", "every-answer.yaml",
                "two-sources.yaml",
            ], swiftSettings: strict),
        .testTarget(
            name: "ExportsTests",
            dependencies: [
                "Hashing", "Exports", "Deidentifying", "Datasets",
                "Results", "TextFormat", "Physiology", "StudyTesting",
                "StudyModel",
                "StudyFile", "BundleReplay",
            ],
            exclude: ["every_study.py", "page_plan_bundle.py", "wave_agreement.py"], swiftSettings: strict),
        .testTarget(
            name: "RecordingsTests",
            dependencies: [
                "Platform", "SessionPorts", "StudySession", "Recordings", "Results", "TextFormat",
                "Physiology",
                "StudyTesting", "CZlib",
            ],
            exclude: ["recording_agreement.py"], swiftSettings: strict),
        .testTarget(
            name: "SoundTests",
            dependencies: [
                "SessionPorts", "Sound", "StudyModel", "Platform", "Results", "StudyTesting",
            ],
            exclude: ["loudness.py", "null_sink.py", "supervised.py"], swiftSettings: strict),
        .testTarget(
            name: "SignalsTests",
            dependencies: [
                "SessionPorts", "Signals", "Recordings", "Platform", "StudySession", "Results",
                "TextFormat",
                "StudyModel", "StudyTesting",
            ],
            exclude: [
                "Bluetooth/fake_bluez.py", "Bluetooth/strap_campaign.py", "Bluetooth/strap_choice.py",
                "LabStreaming/lsl_choice.py", "LabStreaming/lsl_loopback.py",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MonitorClientTests",
            dependencies: [
                "Hashing", "SessionPorts", "MonitorClient", "Platform", "Recordings", "StudySession",
                "StudyEngine",
                "Results",
                "TextFormat", "StudyModel", "StudyTesting",
            ], exclude: ["buckets.py"], swiftSettings: strict),
        // Allocates participants of a ledger; tests run many of it at once.
        .executableTarget(
            name: "AllocateMany", dependencies: ["Allocating", "StudyModel"], path: "Tests/AllocateMany",
            swiftSettings: strict),
        .testTarget(
            name: "AllocatingTests",
            dependencies: [
                "Hashing", "Allocating", "AllocateMany", "Results", "StudyModel", "TextFormat",
                "StudyTesting",
            ],
            exclude: [
                "cheats.py", "drop_answer.py", "honest_studies.py", "minimisation_reference.py",
                "predictability.py", "race.py", "race_monitor.py", "second_implementation.py", "trial.py",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransparencyLogTests",
            dependencies: ["Hashing", "Platform", "TransparencyLog", "StudyTesting"],
            exclude: ["changes.py", "honest.py", "lab.py", "log_changes.py"], swiftSettings: strict),
        .testTarget(
            name: "PeopleTests",
            dependencies: ["People", "Patterns", "SessionPorts", "Results", "StudyModel", "StudyEngine"],
            swiftSettings: strict),
        .testTarget(
            name: "DrillTests", dependencies: ["Drill", "StudyEngine", "TextFormat"], swiftSettings: strict),
        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "StudyTesting"], swiftSettings: strict),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "Patterns", "SessionPorts", "StudySession", "Terminal", "TextFormat", "StudyTesting",
            ],
            exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Hashing", "entrain", "entrain-monitor", "Exports", "Results", "StudyFile", "TextFormat",
                "StudyTesting",
            ],
            exclude: ["Golden", "Mistakes", "days_of_a_lab.py", "staircase.py"],
            swiftSettings: strict),
        .testTarget(
            name: "MonitorTests",
            dependencies: [
                "Hashing", "Platform", "Monitor", "MonitorInterface", "Allocating", "StudyModel", "Results",
                "TextFormat",
                "StudyTesting",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOPosix", package: "swift-nio", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TidyTests", exclude: ["mutations.py", "recipes.py", "tree.py"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
