// swift-tools-version: 6.1
import PackageDescription

// The code for Apple platforms, with OpenCombine in place of Combine, and declarations in place of `os` and SwiftUI.
// The bridge to Combine is tested; the rest is only compiled.
let package = Package(
    name: "Apple",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
    targets: [
        .target(name: "Combine", dependencies: ["OpenCombine"], path: "StandIns/Combine"),
        .target(name: "os", path: "StandIns/os"),
        .target(name: "SwiftUI", path: "StandIns/SwiftUI"),
        .target(name: "Signals", dependencies: ["Combine"]),
        .target(name: "SignalsTesting", dependencies: ["Signals"]),
        .target(name: "SignalsLaws", dependencies: ["Signals", "SignalsTesting"], path: "Tests/SignalsLaws"),
        .target(name: "SignalsObservation", dependencies: ["Signals"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CSystemSQLite"),
        .target(name: "RepositoryCore", dependencies: ["Signals", "CSQLite", "CSystemSQLite"]),
        .target(name: "SignalRepositoryLogging", dependencies: ["RepositoryCore", "Signals", "os"]),
        // `.ci/apple` writes its sources: the examples of the documents.
        .target(name: "Views", dependencies: ["RepositoryCore", "SignalsObservation", "SwiftUI"], path: "Views"),
        .testTarget(
            name: "CombineTests", dependencies: ["Combine", "Signals", "SignalsLaws", "SignalsTesting"],
            path: "CombineTests"),
    ],
    swiftLanguageModes: [.v6]
)
