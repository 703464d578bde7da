// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "SignalRepository",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Signals", targets: ["Signals"]),
        .library(name: "SignalsObservation", targets: ["SignalsObservation"]),
        .library(name: "SignalsTesting", targets: ["SignalsTesting"]),
        .library(name: "SignalRepository", targets: ["SignalRepository"]),
        .library(name: "SignalRepositoryTesting", targets: ["SignalRepositoryTesting"]),
    ],
    targets: [
        .target(name: "Signals"),
        .target(name: "SignalsObservation", dependencies: ["Signals"]),
        .target(name: "SignalsTesting", dependencies: ["Signals"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "SignalRepository", dependencies: ["Signals", "CSQLite"]),
        .target(name: "SignalRepositoryTesting", dependencies: ["SignalRepository", "Signals"]),
        .testTarget(name: "SignalsTests", dependencies: ["Signals", "SignalsTesting"]),
        .testTarget(
            name: "SignalsObservationTests", dependencies: ["Signals", "SignalsObservation", "SignalsTesting"]),
        .testTarget(name: "SignalsTestingTests", dependencies: ["Signals", "SignalsTesting"]),
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        .testTarget(
            name: "SignalRepositoryTests",
            dependencies: ["SignalRepository", "SignalsTesting", "CSQLite", "CFaultyDisk"]),
        .testTarget(
            name: "SignalRepositoryTestingTests",
            dependencies: ["SignalRepository", "SignalRepositoryTesting", "SignalsTesting"]),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)
