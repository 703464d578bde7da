import Foundation

/// What the process has of the system: Linux tells.
struct HeldByProcess {
    let descriptors: Int
    let threads: Int

    static func now() throws -> HeldByProcess {
        func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
        }
        return try HeldByProcess(descriptors: count("fd"), threads: count("task"))
    }
}
