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

#if os(Linux)
    // Debian's own description of PortAudio names `-pthread`, which the package manager does not let pass.
    let portAudioDescription: String? = nil
#else
    let portAudioDescription: String? = "portaudio-2.0"
#endif

let package = Package(
    name: "entrain",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "entrain", targets: ["entrain"]),
        .library(name: "StudyModel", targets: ["StudyModel"]),
        .library(name: "Results", targets: ["Results"]),
    ],
    dependencies: [
        // Commands, options, help and shell completions as every Swift command-line tool has them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // The YAML parser of the system, as the product's owner asked: apt libyaml-dev, brew libyaml.
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        // SHA-256 by the processor's own instructions where it has them, without a cryptography package that takes
        // minutes to build.
        .systemLibrary(
            name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        // gzip, in which BIDS wants its recordings: apt zlib1g-dev, on macOS part of the system.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // Sound devices, the same on every system: apt portaudio19-dev, brew portaudio.
        .systemLibrary(
            name: "CPortAudio", pkgConfig: portAudioDescription,
            providers: [.apt(["portaudio19-dev"]), .brew(["portaudio"])]),
        // Reads WAV, FLAC, Ogg, MP3 and Opus, and writes WAV and FLAC: apt libsndfile1-dev, brew libsndfile.
        .systemLibrary(
            name: "CSndFile", pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
        // The audio callbacks: what must never lock or allocate is written in C.
        .target(
            name: "CAudioStream", dependencies: ["CPortAudio"],
            linkerSettings: [.linkedLibrary("asound", .when(platforms: [.linux]))]),
        // Libraries that are loaded when first needed, so that every other command starts without them: libcurl.
        .target(name: "CLoaded", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Calls that Swift's module of the C library leaves out, such as the timer slack of a thread.
        .systemLibrary(name: "CPlatform"),
        .target(name: "StudyModel", swiftSettings: strict),
        .target(name: "Physiology", swiftSettings: strict),
        .target(name: "StudyFile", dependencies: ["StudyModel", "CLibYAML"], swiftSettings: strict),
        .target(name: "StudyEngine", dependencies: ["StudyModel"], swiftSettings: strict),
        .target(name: "Results", dependencies: ["StudyModel", "CNettle"], swiftSettings: strict),
        .target(
            name: "Datasets", dependencies: ["StudyModel", "Results", "Physiology", "CPlatform", "CZlib"],
            swiftSettings: strict),
        .target(
            name: "StudySession",
            dependencies: ["StudyModel", "Physiology", "StudyFile", "StudyEngine", "Results", "CPlatform"],
            swiftSettings: strict),
        .target(
            name: "Devices",
            dependencies: [
                "StudySession", "Physiology", "Results", "CPlatform", "CPortAudio", "CSndFile",
                "CAudioStream", "CLoaded",
            ], swiftSettings: strict),
        .target(name: "Terminal", dependencies: ["StudySession", "Physiology"], swiftSettings: strict),
        .executableTarget(
            name: "entrain",
            dependencies: [
                "StudyModel", "Physiology", "StudyFile", "StudyEngine", "Results", "StudySession", "Devices",
                "Terminal", "Datasets",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "StudyTesting", dependencies: ["StudyModel", "StudyFile", "StudySession"],
            path: "Tests/StudyTesting",
            swiftSettings: strict),
        // The pulse detector's speed against its limits; Tests/Benchmarks/pulse_speed.py compares it with others.
        .executableTarget(
            name: "PulseSpeed", dependencies: ["Physiology", "Devices"], path: "Tests/Benchmarks/PulseSpeed",
            swiftSettings: strict),
        .testTarget(
            name: "StudyModelTests", dependencies: ["StudyModel"], swiftSettings: strict),
        .testTarget(
            name: "PhysiologyTests", dependencies: ["Physiology", "Results", "StudyTesting"],
            exclude: ["pulse_accuracy.py"], swiftSettings: strict),
        .testTarget(
            name: "StudyFileTests", dependencies: ["StudyFile", "StudyTesting"],
            exclude: ["Fixtures", "Golden", "schema_agreement.py"], swiftSettings: strict),
        .testTarget(
            name: "StudyEngineTests", dependencies: ["StudyEngine", "StudyTesting"], swiftSettings: strict),
        .testTarget(
            name: "ResultsTests", dependencies: ["Results", "StudyTesting"], exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "StudySessionTests", dependencies: ["StudySession", "Devices", "StudyTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "DatasetsTests", dependencies: ["Datasets", "Results", "Physiology", "StudyTesting"],
            exclude: [
                "agreement.py", "check.sh", "examples.py", "exports.py", "sql_agreement.py", "traps.py",
            ], swiftSettings: strict),
        .testTarget(
            name: "DevicesTests", dependencies: ["Devices", "StudySession", "StudyTesting"],
            exclude: ["Bluetooth/fake_bluez.py", "Bluetooth/strap_campaign.py"], swiftSettings: strict),
        .testTarget(
            name: "TerminalTests", dependencies: ["Terminal", "StudyTesting"], exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests", dependencies: ["entrain", "Results", "StudyTesting"], exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
