import Foundation

extension Catalogue {
    /// What a clean release build of the library takes, as a user's first one does.
    static var build: [Row] {
        // This package and what it depends on.
        let benchmarks = URL(filePath: #filePath).appending(components: "..", "..", "..", "..").standardizedFileURL
        return [
            Row(
                id: "build", work: "a clean release build, user time", operations: 1, bars: [.perOperation(80)],
                ours: building("SignalRepository", in: benchmarks.appending(components: "..", "..")),
                peer: building("GRDB", in: benchmarks.appending(components: ".build", "checkouts", "GRDB.swift")),
                warmsUp: false)
        ]
    }

    /// The target and what it depends on: told to build a product that a package makes by itself, SwiftPM builds every
    /// product of the package.
    private static func building(_ target: String, in package: URL) -> Form {
        Form(target) { meter in
            try TemporaryFolder.withFile { path in
                let build = Process()
                build.executableURL = URL(filePath: "/usr/bin/env")
                build.arguments = [
                    "swift", "build", "--configuration", "release", "--target", target,
                    "--package-path", package.standardizedFileURL.path(), "--scratch-path", path,
                ]
                // Standard output is for what was measured.
                build.standardOutput = FileHandle.standardError
                try meter.children {
                    try build.run()
                    build.waitUntilExit()
                }
                guard build.terminationStatus == 0 else { throw FormProcessError(name: "build of \(target)") }
                return 0
            }
        }
    }
}
