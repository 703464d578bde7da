import Foundation

extension Catalogue {
    /// The time of a clean release build of the library, such as a user's first build.
    static var build: [Row] {
        // The package of the benchmarks, which also has GRDB among its checkouts.
        let benchmarks = URL(filePath: #filePath).appending(components: "..", "..", "..", "..").standardizedFileURL
        return [
            Row(
                id: "build", work: "a clean release build, user time", operations: 1, bars: [.perOperation(80)],
                ours: building("SignalRepository", in: benchmarks.appending(components: "..", "..")),
                peer: building("GRDB", in: benchmarks.appending(components: ".build", "checkouts", "GRDB.swift")),
                warmsUp: false)
        ]
    }

    /// A form that builds a target and its dependencies.
    ///
    /// It names a target because SwiftPM builds every product of a package when it is given an automatic product.
    private static func building(_ target: String, in package: URL) -> Form {
        Form(target) { meter in
            try TemporaryFolder.withFile { path in
                let build = Process()
                build.executableURL = URL(filePath: "/usr/bin/env")
                build.arguments = [
                    "swift", "build", "--configuration", "release", "--target", target,
                    "--package-path", package.standardizedFileURL.path(), "--scratch-path", path,
                ]
                // Standard output is for the figures.
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
