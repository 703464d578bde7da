// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Playground",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "playground", targets: ["playground"])
    ],
    dependencies: [
        .package(name: "SignalRepository", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
    ],
    targets: [
        // The second engine is the program's and not the kit's, so that both are compiled at once.
        .executableTarget(
            name: "playground",
            dependencies: [
                "PlaygroundKit", .product(name: "SignalRepositoryPostgres", package: "SignalRepository"),
            ]),
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
                "PlaygroundKit", "playground",
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryPostgres", package: "SignalRepository"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
