import Foundation

/// The number of descriptors and threads of the process, as Linux reports them.
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
