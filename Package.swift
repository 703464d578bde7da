// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// The condition of swift-syntax: only clients that ask for the trait check it out and build it.
let macros = TargetDependencyCondition.when(traits: ["Macros"])

/// The same for the other packages, each of which has an adapter target.
let (logging, metrics, lifecycle, crypto) = (
    TargetDependencyCondition.when(traits: ["Logging"]), TargetDependencyCondition.when(traits: ["Metrics"]),
    TargetDependencyCondition.when(traits: ["ServiceLifecycle"]), TargetDependencyCondition.when(traits: ["Crypto"])
)

let package = Package(
    name: "SignalRepository",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Signals", targets: ["Signals"]),
        .library(name: "SignalsFoundation", targets: ["SignalsFoundation"]),
        .library(name: "SignalsObservation", targets: ["SignalsObservation"]),
        .library(name: "SignalsTesting", targets: ["SignalsTesting"]),
        .library(name: "SignalsLaws", targets: ["SignalsLaws"]),
        .library(name: "SignalRepository", targets: ["SignalRepository"]),
        .library(name: "SignalRepositoryPostgres", targets: ["SignalRepositoryPostgres"]),
        .library(name: "SignalRepositoryMacros", targets: ["SignalRepositoryMacros"]),
        .library(name: "SignalRepositoryTesting", targets: ["SignalRepositoryTesting"]),
        .library(name: "SignalRepositoryLogging", targets: ["SignalRepositoryLogging"]),
        .library(name: "SignalRepositoryMetrics", targets: ["SignalRepositoryMetrics"]),
        .library(name: "SignalRepositoryLifecycle", targets: ["SignalRepositoryLifecycle"]),
        .library(name: "SignalRepositoryCrypto", targets: ["SignalRepositoryCrypto"]),
    ],
    traits: [
        .trait(name: "Macros", description: "The macro @Entity, which declares the schema of a struct."),
        .trait(
            name: "OwnSQLite",
            description: "The program links its own SQLite, such as one that encrypts, instead of the system's."),
        .trait(name: "Logging", description: "Statements and signals in the logs of swift-log."),
        .trait(name: "Metrics", description: "Statements and live queries in swift-metrics."),
        .trait(name: "ServiceLifecycle", description: "Repositories and signals in a group of services."),
        .trait(name: "Crypto", description: "Columns that are encrypted, by swift-crypto."),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "Signals"),
        .target(name: "SignalsFoundation", dependencies: ["Signals"]),
        .target(name: "SignalsObservation", dependencies: ["Signals"]),
        .target(name: "SignalsTesting", dependencies: ["Signals"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // A separate target, because it is not imported with the trait `OwnSQLite`.
        .systemLibrary(name: "CSystemSQLite"),
        .target(name: "RepositoryCore", dependencies: ["Signals", "CSQLite", "CSystemSQLite"]),
        .target(name: "SignalRepository", dependencies: ["RepositoryCore", "Signals", "CSQLite"]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "SignalRepositoryPostgres", dependencies: ["RepositoryCore", "Signals", "CPostgres"]),
        .target(
            name: "SignalRepositoryMacros",
            dependencies: ["RepositoryCore", .target(name: "EntityMacros", condition: macros)]),
        .macro(
            name: "EntityMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
            ]),
        .target(name: "SignalRepositoryTesting", dependencies: ["RepositoryCore", "Signals"]),
        .target(
            name: "SignalRepositoryLogging",
            dependencies: [
                "RepositoryCore", "Signals", .product(name: "Logging", package: "swift-log", condition: logging),
            ]),
        .target(
            name: "SignalRepositoryMetrics",
            dependencies: [
                "RepositoryCore", .product(name: "Metrics", package: "swift-metrics", condition: metrics),
            ]),
        .target(
            name: "SignalRepositoryLifecycle",
            dependencies: [
                "RepositoryCore", "Signals",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
            ]),
        .target(
            name: "SignalRepositoryCrypto",
            dependencies: [
                "RepositoryCore", "Signals", .product(name: "Crypto", package: "swift-crypto", condition: crypto),
            ]),
        .target(name: "SignalsLaws", dependencies: ["Signals", "SignalsTesting"], path: "Tests/SignalsLaws"),
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        .testTarget(name: "SignalsTests", dependencies: ["Signals", "SignalsLaws", "SignalsTesting", "TestTraits"]),
        .testTarget(
            name: "SignalsFoundationTests",
            dependencies: ["Signals", "SignalsFoundation", "SignalsLaws", "SignalsTesting"]),
        .testTarget(
            name: "SignalsObservationTests", dependencies: ["Signals", "SignalsObservation", "SignalsTesting"]),
        .testTarget(
            name: "SignalsTestingTests", dependencies: ["Signals", "SignalsLaws", "SignalsTesting", "TestTraits"]),
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        .testTarget(
            name: "SignalRepositoryTests",
            dependencies: [
                "RepositoryCore", "SignalRepository", "SignalRepositoryPostgres", "SignalsTesting", "CSQLite",
                "CFaultyDisk", "TestTraits",
            ]),
        .testTarget(
            name: "SignalRepositoryTestingTests",
            dependencies: ["SignalRepository", "SignalRepositoryTesting", "SignalsTesting"]),
        .testTarget(
            name: "SignalRepositoryMacrosTests",
            dependencies: [
                "RepositoryCore", "SignalRepository", "SignalRepositoryMacros", "CSQLite",
                .target(name: "EntityMacros", condition: macros),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax", condition: macros),
            ]),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)

// `make test` leaves out the tests of the documents and the house rules, which take a while to build.
if Context.environment["WITHOUT_TIDY"] != nil { package.targets.removeAll { $0.name == "TidyTests" } }
// `make check` tests an optimized store, with its assertions, which takes half the time.
if Context.environment["OPTIMIZED"] != nil {
    for store in package.targets where ["RepositoryCore", "SignalRepository"].contains(store.name) {
        store.swiftSettings = [.unsafeFlags(["-O", "-assert-config", "Debug"])]
    }
}
