// swift-tools-version: 6.1
import PackageDescription

// Tests with an SQLite that encrypts the file, SQLite3 Multiple Ciphers, which `./get-sqlite` downloads; and tests of
// encrypted columns, which work with any SQLite.
let package = Package(
    name: "Encryption",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "SignalRepository", path: "../..", traits: ["OwnSQLite", "Crypto"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(
            name: "SQLite3MultipleCiphers",
            cSettings: [
                // For live queries that follow rows, and for full-text search.
                .define("SQLITE_ENABLE_PREUPDATE_HOOK"), .define("SQLITE_ENABLE_FTS5"),
                .define("SQLITE_THREADSAFE", to: "1"),
                // Deriving a key is slow even when it is optimized.
                .unsafeFlags(["-O1", "-w"]),
            ]),
        .testTarget(
            name: "EncryptionTests",
            dependencies: [
                "SQLite3MultipleCiphers", .product(name: "Signals", package: "SignalRepository"),
                .product(name: "SignalRepository", package: "SignalRepository"),
                .product(name: "SignalRepositoryCrypto", package: "SignalRepository"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
