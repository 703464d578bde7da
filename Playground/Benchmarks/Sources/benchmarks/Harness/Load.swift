import Foundation

/// The load on the machine, which disturbs a measurement.
enum Load {
    /// The spread of a form's rounds above which its row is marked.
    static let wideSpread = 0.15

    /// Returns a note for the reader if the rounds of some row vary widely.
    static func note(on reports: [Report]) -> String? {
        guard reports.contains(where: { $0.spread > wideSpread }) else { return nil }
        var average = 0.0
        _ = getloadavg(&average, 1)
        let load = (average * 10).rounded() / 10
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return """
            * The middle half of the rounds is wider than \(Int(wideSpread * 100)) % of their median. \
            The load average is \(load) on \(cores) cores; repeat these rows when the machine is quiet.
            """
    }
}

extension Load {
    /// Waits until this program is idle, because a peer delivers first values before all its observers are in place.
    static func settle() {
        var before = 0.0
        repeat {
            before = Meter.Clock.cpu.now
            Thread.sleep(forTimeInterval: 0.03)
        } while Meter.Clock.cpu.now - before > 0.003
    }
}
