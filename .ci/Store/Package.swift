// swift-tools-version: 6.1
import PackageDescription

// The store with its tests, both engines, for the sanitizers.
let package = Package(
    name: "Store",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Signals"),
        .target(name: "SignalsTesting", dependencies: ["Signals"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CSystemSQLite"),
        .target(name: "RepositoryCore", dependencies: ["Signals", "CSQLite", "CSystemSQLite"]),
        .target(name: "SignalRepository", dependencies: ["RepositoryCore", "Signals", "CSQLite"]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "SignalRepositoryPostgres", dependencies: ["RepositoryCore", "Signals", "CPostgres"]),
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        .testTarget(
            name: "SignalRepositoryTests",
            dependencies: [
                "RepositoryCore", "SignalRepository", "SignalRepositoryPostgres", "SignalsTesting", "CSQLite",
                "CFaultyDisk", "TestTraits",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
