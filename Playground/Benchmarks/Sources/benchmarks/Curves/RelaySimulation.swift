import Foundation

/// A simulation of many processes that follow one server, each with its own WAL sender or behind relays.
///
/// A relay would receive commits from one sender and pass them on to processes; the library has no relays. The
/// simulation computes their gain from the measured cost of a sender and from assumptions that
/// `Documentation/Engines.md` states. It uses no server and no clock.
struct RelaySimulation {
    /// The cost of each step, in seconds.
    private enum Cost {
        /// A sender, for each commit and each of its rows: measured.
        static let (decodedCommit, decodedRow) = (30e-6, 8e-6)
        /// A relay, for each process behind it and each row: assumed, a system call and a copy.
        static let (passedCommit, passedRow) = (10e-6, 0.2e-6)
        /// A process, for each commit and row, until its live value is ready: measured for commits, assumed for rows.
        static let (appliedCommit, appliedRow) = (200e-6, 2e-6)
        /// From one machine to another: assumed.
        static let network = 200e-6
    }

    let cores: Int
    let commitsPerSecond: Double
    var seconds = 60.0

    /// One commit: when it was made, and how many rows it changed.
    private struct Commit {
        let time: Double
        let rows: Double
    }

    /// The result of a simulation.
    struct Result {
        /// The time from a commit until the last process has it, in seconds: the median and the 99th percentile.
        let (median, late): (Double, Double)
        /// How many cores of the server the senders keep busy.
        let load: Double
    }

    /// Simulates processes behind relays; without relays, each process has its own sender.
    func run(processes: Int, relays: Int?) -> Result {
        let commits = makeCommits()
        let senders = relays ?? processes
        var free = [Double](repeating: 0, count: cores)
        var (sent, passed) = ([Double](repeating: 0, count: senders), [Double](repeating: 0, count: senders))
        var (delays, busy): ([Double], Double) = ([], 0)
        for commit in commits {
            let decoding = Cost.decodedCommit + commit.rows * Cost.decodedRow
            let applying = Cost.appliedCommit + commit.rows * Cost.appliedRow
            var last = 0.0
            for sender in 0..<senders {
                // Runs on the core that is free first, after this sender's previous commit.
                let core = free.indices.min { free[$0] < free[$1] } ?? 0
                let start = max(commit.time, free[core], sent[sender])
                sent[sender] = start + decoding
                free[core] = sent[sender]
                busy += decoding
                var arrival = sent[sender] + Cost.network
                if relays != nil {
                    let behind = (processes + senders - 1 - sender) / senders
                    let passing = Double(behind) * (Cost.passedCommit + commit.rows * Cost.passedRow)
                    passed[sender] = max(arrival, passed[sender]) + passing
                    arrival = passed[sender] + Cost.network
                }
                last = max(last, arrival + applying)
            }
            delays.append(last - commit.time)
        }
        delays.sort()
        return Result(
            median: delays[delays.count / 2], late: delays[delays.count * 99 / 100], load: busy / seconds)
    }

    /// Makes commits at random times: of 100 commits, 95 change one row, 4 a hundred rows, and one a thousand.
    private func makeCommits() -> [Commit] {
        var random = SplitMix64(state: 1)
        var (commits, time): ([Commit], Double) = ([], 0)
        while true {
            time += -log(1 - Double.random(in: 0..<1, using: &random)) / commitsPerSecond
            guard time < seconds else { return commits }
            let size = Int.random(in: 0..<100, using: &random)
            commits.append(Commit(time: time, rows: size < 95 ? 1 : size < 99 ? 100 : 1_000))
        }
    }
}

extension RelaySimulation {
    static let name = "pg-relays"

    /// Draws the time to the last process against the number of processes, and prints the load of the server.
    static func draw(in folder: String) throws {
        let simulation = RelaySimulation(cores: 8, commitsPerSecond: 50)
        var direct = Plot.Line(name: "each its sender", points: [])
        var relayed = Plot.Line(name: "10 relays", points: [])
        for processes in [1, 3, 10, 30, 100, 300, 1_000] {
            let forms = [("a sender each", nil), ("\(min(10, processes)) relays", Optional(min(10, processes)))]
            for (form, relays) in forms {
                let result = simulation.run(processes: processes, relays: relays)
                print(
                    "\(processes) processes, \(form): median \(Figure.amount(result.median, .seconds)), "
                        + "99 of 100 within \(Figure.amount(result.late, .seconds)), "
                        + "\((result.load * 100).rounded() / 100) cores of the server busy")
                let point = (x: Double(processes), y: result.late)
                if relays == nil { direct.points.append(point) } else { relayed.points.append(point) }
            }
        }
        let plot = Plot(
            title: "Simulated: 50 commits a second → the last process, 99 of 100", size: "processes",
            lines: [direct, relayed])
        try plot.write(in: folder, as: name)
    }
}
