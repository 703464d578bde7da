// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Films",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../SignalRepository")],
    targets: [
        .executableTarget(
            name: "Films",
            dependencies: [
                .product(name: "SignalRepository", package: "SignalRepository")
            ]),
        .testTarget(name: "FilmsTests", dependencies: ["Films"]),
    ])
