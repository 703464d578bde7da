// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that the Playground does not download swift-syntax.
let package = Package(
    name: "Mutants",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "mutants", targets: ["mutants"])
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(name: "mutants", dependencies: ["MutantsKit"]),
        .target(
            name: "MutantsKit",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "MutantsKitTests", dependencies: ["MutantsKit"]),
    ],
    swiftLanguageModes: [.v6]
)
