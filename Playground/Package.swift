// swift-tools-version: 6.1
import PackageDescription

/// A server framework takes minutes to build, so the page is for those who ask for the trait: the others neither check
/// it out nor build it.
let serve = TargetDependencyCondition.when(traits: ["Serve"])

let package = Package(
    name: "Playground",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "playground", targets: ["playground"])
    ],
    traits: [
        .trait(name: "Serve", description: "The command `serve`: a page in a browser that changes when a row does.")
    ],
    dependencies: [
        // Its traits are those that the server's package asks for, so that one build of the library serves both.
        .package(
            name: "SignalRepository", path: "..",
            traits: [
                .trait(name: "Logging", condition: .when(traits: ["Serve"])),
                .trait(name: "Metrics", condition: .when(traits: ["Serve"])),
                .trait(name: "ServiceLifecycle", condition: .when(traits: ["Serve"])),
            ]),
        .package(name: "Server", path: "Server"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
    ],
    targets: [
        // The second engine is the program's and not the kit's, so that both are compiled at once.
        .executableTarget(
            name: "playground",
            dependencies: [
                "PlaygroundKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .target(name: "PlaygroundPage", condition: serve),
                .product(name: "SignalRepositoryPostgres", package: "SignalRepository"),
            ]),
        .target(
            name: "PlaygroundPage",
            dependencies: [
                "PlaygroundKit",
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Serving", package: "Server", condition: serve),
                .product(name: "Hummingbird", package: "hummingbird", condition: serve),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: serve),
            ],
            resources: [.embedInCode("Resources")]),
        .target(
            name: "PlaygroundKit",
            dependencies: [
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ]),
        .testTarget(
            name: "PlaygroundKitTests",
            dependencies: [
                "PlaygroundKit", "playground", .target(name: "PlaygroundPage", condition: serve),
                .product(name: "Serving", package: "Server", condition: serve),
                .product(name: "ServingTesting", package: "Server", condition: serve),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryPostgres", package: "SignalRepository"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
