// swift-tools-version: 6.1
import PackageDescription

// The programs that `.ci/hosts` runs on several hosts.
let package = Package(
    name: "Hosts",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SignalRepository", path: "../..")],
    targets: [
        .executableTarget(
            name: "hosts",
            dependencies: [
                .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryPostgres", package: "SignalRepository"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
