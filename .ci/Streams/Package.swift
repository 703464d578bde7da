// swift-tools-version: 6.1
import PackageDescription

// The streams with their tests, for the sanitizers, without the store's targets, which take minutes to build. The tests
// of SignalsTesting are left out, too, because their operators are broken on purpose.
let package = Package(
    name: "Streams",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Signals"),
        .target(name: "SignalsTesting", dependencies: ["Signals"]),
        .target(name: "SignalsLaws", dependencies: ["Signals", "SignalsTesting"], path: "Tests/SignalsLaws"),
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        .testTarget(name: "SignalsTests", dependencies: ["Signals", "SignalsLaws", "SignalsTesting", "TestTraits"]),
    ],
    swiftLanguageModes: [.v6]
)
