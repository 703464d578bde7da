import CSQLite
import Foundation
import SignalRepository

/// The entity of the rows about vectors.
private struct Note: Entity, Equatable {
    let id: Int
    var embedding: Vector

    static let schema = Schema(
        Column("id", \Note.id), Column("embedding", \.embedding, .dimensions(384)), make: Note.init)
    static let ids = 0..<100_000
    static let target = numbered(ids.upperBound).embedding

    /// Returns the note with a number, whose vector is the same in every run.
    static func numbered(_ id: Int) -> Note {
        var state = UInt64(id + 1) &* 0x9E37_79B9_7F4A_7C15
        return Note(
            id: id,
            embedding: Vector(
                (0..<384).map { _ in
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    return Float(Int32(truncatingIfNeeded: state >> 20)) / Float(Int32.max)
                }))
    }

    static func open(_ path: String) throws -> SQLiteRepository {
        try SQLiteRepository(
            .file(path), entities: Note.self, configuration: RepositoryConfiguration(durability: .normal))
    }

    static func fill(_ path: String) throws {
        let repository = try open(path)
        _ = try repository.insert(ids.lazy.map(numbered)).wait()
        try repository.close().wait()
    }
}

extension Catalogue {
    /// The nearest vectors, read once, and followed while one vector after another changes.
    static var nearest: [Row] {
        let changes = 20
        let nearest = Note.ids.count
        let found = Note.all.sorted { $0.embedding.distance(to: Note.target, .dot) }.limit(20)
        let note = Numpy.isThere ? "" : "; numpy is not installed, so there is no peer"
        return [
            Row(
                id: "nearest", work: "the 20 nearest of \(nearest) vectors of 384 components, ids and distances\(note)",
                operations: 1, bars: [.ofRaw(1.25)],
                raw: .file("C API", Note.fill, RawStore.init, work: { try $0.nearest() }, check: { $1 }),
                ours: .file(
                    "SignalRepository", Note.fill, Note.open,
                    work: { repository in
                        let rows = found.select { ($0.id, $0.embedding.distance(to: Note.target, .dot)) }
                        return try repository.fetch(rows).wait()
                    }, check: { _, rows in rows.reduce(0) { $0 + $1.0 } }),
                peer: Numpy.isThere ? numpy : nil),
            Row(
                id: "live.nearest", work: "one of \(nearest) vectors changes, write → the 20 nearest",
                operations: changes, bars: [.ofPeer(1 / 200)],
                ours: following("SignalRepository", found, changes),
                // A query with raw SQL is re-read after each commit.
                peer: following("re-read", found.where(.raw("TRUE")), changes)),
        ]
    }

    /// A form that follows a query while one note after another becomes the nearest.
    private static func following(_ name: String, _ query: FetchQuery<Note>, _ changes: Int) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try Note.fill(path)
                let repository = try Note.open(path)
                let listener = Listener<[Note]>(first: 1)
                let token = repository.fetchSubscription(query).sink(onValue: listener.hear, onCompletion: { _ in })
                defer { token.cancel() }
                listener.wait()
                func make(_ number: Int) throws {
                    let nearer = Note.target.elements.map { $0 * Float(number + 2) }
                    let note = Note(id: number * 4_999, embedding: Vector(nearer))
                    listener.expect { $0.first == note }
                    _ = try repository.update(note).wait()
                    listener.wait()
                }
                Load.settle()
                try make(0)
                Load.settle()
                for number in 1...changes { try meter.time { try make(number) } }
                return changes
            }
        }
    }

    /// A form that finds the vectors with numpy, in memory and without the distances.
    private static var numpy: Form {
        Form("numpy") { meter in
            try TemporaryFolder.withFile { path in
                let numbers = Note.ids.lazy.flatMap { Note.numbered($0).embedding.elements }
                let floats = Array(numbers) + Note.target.elements.map { -$0 }
                try floats.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
                let answer = try Numpy.run([
                    """
                    import sys, time, numpy
                    rows = numpy.fromfile(sys.argv[1], numpy.float32).reshape(-1, 384)
                    a, v = rows[:-1], rows[-1]
                    clock = time.process_time if sys.argv[2] == "cpu" else time.perf_counter
                    for _ in range(2):
                        start = clock()
                        found = numpy.argpartition(a @ v, 20)[:20]
                        seconds = clock() - start
                    print(seconds, found.sum())
                    """, path, meter.clock.rawValue,
                ])
                let parts = answer.split(whereSeparator: \.isWhitespace)
                guard parts.count == 2, let seconds = Double(parts[0]), let checksum = Int(parts[1]) else {
                    throw FormProcessError(name: "numpy")
                }
                meter.add(seconds)
                return checksum
            }
        }
    }
}

extension RawStore {
    /// Returns the sum of the ids of the nearest notes, which SQLite sorts by an SQL function.
    fileprivate func nearest() throws -> Int {
        sqlite3_create_function_v2(
            handle, "distance", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in
                guard let vector = sqlite3_value_blob(values?[0]), let target = sqlite3_value_blob(values?[1]) else {
                    return sqlite3_result_null(context)
                }
                var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero)
                for offset in stride(from: 0, to: Int(sqlite3_value_bytes(values?[0])), by: 64) {
                    func product(_ offset: Int) -> SIMD8<Float> {
                        vector.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                            * target.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    }
                    sums.0 += product(offset)
                    sums.1 += product(offset + 32)
                }
                sqlite3_result_double(context, -Double((sums.0 + sums.1).sum()))
            }, nil, nil, nil)
        let sql = #"SELECT "id", distance("embedding", ?1) AS "distance" FROM "Note" ORDER BY "distance" LIMIT 20"#
        let found = try read(
            sql,
            bind: { statement in
                _ = Note.target.elements.withUnsafeBytes {
                    csqlite_bind_blob_copy(statement, 1, $0.baseAddress, Int32($0.count))
                }
            }, make: { (id: Int(sqlite3_column_int64($0, 0)), distance: sqlite3_column_double($0, 1)) })
        return found.reduce(0) { $0 + $1.id }
    }
}

/// Python with numpy, if it is installed.
private enum Numpy {
    static let isThere =
        (try? run(["import importlib.util; print(importlib.util.find_spec('numpy') is not None)"])) == "True\n"

    /// Runs a program with arguments, and returns its output.
    static func run(_ program: [String]) throws -> String {
        let (python, output) = (Process(), Pipe())
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c"] + program
        python.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("OPENBLAS_") }
        (python.standardOutput, python.standardError) = (output, FileHandle.nullDevice)
        try python.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        python.waitUntilExit()
        return text
    }
}
