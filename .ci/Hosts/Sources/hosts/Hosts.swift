import Foundation
import SignalRepository
import Signals

/// `hosts ROLE SERVER JOURNAL SECONDS LOAD`: acts as a host for some time.
///
/// All hosts write for 26 of every 30 seconds of their shared clock, and compare their live values in the rest.
@main struct Hosts {
    private static let cycle: UInt64 = 30_000_000_000

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 6, let role = Role(rawValue: words[1]), let seconds = UInt64(words[4]) else {
            print("hosts importer|editor|dashboard SERVER JOURNAL SECONDS low|high")
            exit(64)
        }
        let host = try Host(role.rawValue, words[2], try Journal(words[3]))
        host.follow()
        var writer = Writer(host, role, isFast: words[5] == "high")
        await writer.begin()
        let end = Journal.now + seconds * 1_000_000_000
        var compared = Journal.now / cycle
        while Journal.now < end {
            let (number, phase) = Journal.now.quotientAndRemainder(dividingBy: cycle)
            if phase < 26_000_000_000 {
                await writer.write()
            } else if phase > 27_000_000_000, number != compared {
                compared = number
                await host.compare()
            } else {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        // The others may still write for a moment.
        try await Task.sleep(for: .seconds(2))
        await host.compare()
        await host.close()
    }
}

enum Role: String {
    case importer, editor, dashboard
}

/// The writes of a host, at its pace; each commit has a number by which the others recognize it.
struct Writer {
    private let host: Host
    private let role: Role
    private let isFast: Bool
    private var number = 0
    private var next = 0
    /// The approximate number of rows in the last commit.
    private var rows = 0
    private var isLost = false
    private var random = SystemRandomNumberGenerator()

    init(_ host: Host, _ role: Role, isFast: Bool) { (self.host, self.role, self.isFast) = (host, role, isFast) }

    mutating func begin() async {
        let mark = Mark(id: host.name, number: 0)
        while (try? await host.repository.upsert(mark).value()) == nil {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Makes a commit, and then pauses.
    mutating func write() async {
        switch role {
        case .dashboard: try? await Task.sleep(for: .milliseconds(100))
        case .importer:
            await commit { store, writer in try writer.importSome(store) }
            try? await Task.sleep(for: .milliseconds(isFast ? 50 : 900))
        case .editor:
            await commit { store, writer in try writer.edit(store) }
            try? await Task.sleep(for: .milliseconds(isFast ? 1 : 45))
        }
    }

    private mutating func commit(_ body: @escaping @Sendable (WriteTransaction, inout Writer) throws -> Void) async {
        number += 1
        let before = self
        do {
            self = try await host.repository.transaction(author: host.name) { store in
                var writer = before
                try body(store, &writer)
                try store.update(Mark(id: before.host.name, number: before.number))
                return writer
            }.value()
            host.journal.note("ack \(number) \(rows)")
            isLost = false
        } catch {
            if !isLost { host.journal.note("lost \(error)") }
            isLost = true
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Imports films that replace the oldest ones; now and then first deletes all.
    private mutating func importSome(_ store: WriteTransaction) throws {
        let chance = Int.random(in: 0..<120, using: &random)
        let count = chance == 0 ? 20_000 : chance < 6 ? 5_000 : 1_000
        if chance == 119 { try store.execute("TRUNCATE \"Film\"") }
        let first = next
        try store.delete(Film.self) { $0.id < first + count - 100_000 && $0.id < 1_000_000_000 }
        try store.insert(
            (first..<first + count).map { Film(id: $0, title: "film \($0)", studio: $0 % 50, gross: $0 % 9_973) })
        next += count
        rows = count
    }

    /// Changes single films, and now and then rolls back a part of the transaction.
    private mutating func edit(_ store: WriteTransaction) throws {
        let id = 1_000_000_000 + Int.random(in: 0..<500, using: &random)
        rows = 1
        let film = Film(
            id: id, title: "é\u{301}\(number)", studio: id % 50, gross: Int.random(in: 0...20_000, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try store.delete(Film.self) { $0.id == id }
        case 1:
            struct Undone: Error {}
            // A nested transaction that fails is rolled back, and the rest continues.
            _ = try? store.transaction { store in
                try store.delete(Film.self) { $0.studio == 7 }
                throw Undone()
            }
            try store.upsert(film)
        default: try store.upsert(film)
        }
    }
}
