// swift-tools-version: 6.1
import PackageDescription

// A separate package, because a server framework takes minutes to build.
let package = Package(
    name: "Server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "server", targets: ["server"]),
        // The server of the Playground's page uses it, too.
        .library(name: "Serving", targets: ["Serving"]),
        .library(name: "ServingTesting", targets: ["ServingTesting"]),
    ],
    dependencies: [
        .package(name: "SignalRepository", path: "../..", traits: ["Logging", "Metrics", "ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "server",
            dependencies: [
                "FilmServer", "Serving", .product(name: "SignalRepositoryLogging", package: "SignalRepository"),
            ]),
        .target(
            name: "Serving",
            dependencies: [
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(name: "ServingTesting"),
        .target(
            name: "FilmServer",
            dependencies: [
                "Serving",
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryLogging", package: "SignalRepository"),
                .product(name: "SignalRepositoryLifecycle", package: "SignalRepository"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "FilmServerTests",
            dependencies: [
                "FilmServer", "Serving", "ServingTesting",
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryLogging", package: "SignalRepository"),
                .product(name: "SignalRepositoryMetrics", package: "SignalRepository"),
                .product(name: "SignalRepositoryLifecycle", package: "SignalRepository"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
