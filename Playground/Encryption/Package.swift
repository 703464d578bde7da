// swift-tools-version: 6.1
import PackageDescription

// A program that brings its own SQLite, SQLite3 Multiple Ciphers, in one file, which `./get-sqlite` downloads; and one
// that encrypts single columns, with any SQLite.
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
                // What the repository needs: live queries that follow rows, and full-text search.
                .define("SQLITE_ENABLE_PREUPDATE_HOOK"), .define("SQLITE_ENABLE_FTS5"),
                .define("SQLITE_THREADSAFE", to: "1"),
                // Deriving a key is slow enough when it is optimized.
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
