import Foundation
import Synchronization

/// The data that the scratch folder keeps between runs.
struct Records: Sendable {
    let folder: URL

    /// The keys of the mutants that do not compile; any change of the sources may change their numbers.
    var refused: Set<String> {
        get { read("refused.json") ?? [] }
        nonmutating set { write(newValue, "refused.json") }
    }

    /// The modules that were mutated in the last build.
    var built: [String] {
        get { read("built.json") ?? ScratchPackage.allModules }
        nonmutating set { write(newValue, "built.json") }
    }

    var coverage: Coverage? {
        get { read("coverage.json") }
        nonmutating set { write(newValue, "coverage.json") }
    }

    /// The mutants of the last draw, and their verdicts so far.
    struct Session: Codable, Sendable {
        var heading: String
        var drawn: [String]
        var verdicts: [String: Verdict] = [:]
    }

    var session: Session? {
        get { read("session.json") }
        nonmutating set { write(newValue, "session.json") }
    }

    private func read<Content: Decodable>(_ name: String) -> Content? {
        (try? Data(contentsOf: folder.appending(path: name))).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0)
        }
    }

    private func write(_ content: some Encodable, _ name: String) {
        try? JSONEncoder().encode(content).write(to: folder.appending(path: name), options: .atomic)
    }
}

/// The verdicts of a run, which come from several threads.
final class Kept: Sendable {
    private let session: Mutex<Records.Session>

    init(_ session: Records.Session) { self.session = Mutex(session) }

    func add(_ mutant: Mutant, _ verdict: Verdict) -> Records.Session {
        session.withLock { session in
            session.verdicts[mutant.key] = verdict
            return session
        }
    }
}
