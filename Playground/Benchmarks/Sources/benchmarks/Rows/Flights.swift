import SignalRepository

extension Catalogue {
    /// The import, the reading and the questions of nycflights13, whose files are in a folder.
    static func flights(in folder: String) -> [Row] {
        let source = FlightSource(folder: folder)
        return [
            Row(
                id: "flights.import", work: "the five tables of nycflights13, a transaction each", operations: 1,
                bars: [.ofRaw(1.15)],
                raw: importing("C API", source, RawStore.flights) { try $0.insert($1) },
                ours: importing("SignalRepository", source, SQLiteRepository.init(flights:)) { try $0.insert($1) },
                peer: importing("GRDB statement", source, PeerStore.init) { try $0.insert($1) }),
            Row(
                id: "flights.fetch", work: "all flights into an array", operations: 1, bars: [.ofRaw(1.1)],
                raw: reading("C API", source, RawStore.init) { try $0.fetchFlights() },
                ours: reading("SignalRepository", source, SQLiteRepository.init(flights:)) {
                    try $0.fetch(Flight.all).wait()
                },
                peer: reading("GRDB by hand", source, PeerStore.init) { try $0.fetchFlights() }),
        ] + questions(source)
    }

    /// The questions, all of the same file and on the same connection.
    private static func questions(_ source: FlightSource) -> [Row] {
        let file = QuestionFile(source)
        return FlightQuestion.all.map { question in
            Row(
                id: "questions.\(question.name)", work: question.work, operations: 1,
                ours: Form("SignalRepository", repeats: question.repeats) { meter in
                    let repository = try file.ours()
                    return try meter.time { try question.ours(repository) }
                },
                peer: Form("GRDB", repeats: question.repeats) { meter in
                    let store = try file.peer()
                    return try meter.time { try question.peer(store) }
                })
        }
    }

    /// A form that fills a new file, whose rows are then compared with the data.
    private static func importing<Store>(
        _ name: String, _ source: FlightSource, _ open: @escaping (String) throws -> Store,
        insert: @escaping (Store, FlightData) throws -> Void
    ) -> Form {
        .file(
            name, FlightTables.create, { (try open($0), try source.data()) },
            work: { store, data in try insert(store, data) },
            check: { path, _ in try FlightCheck.file(path, source.data()) })
    }

    /// A form that reads a full file; every flight that it reads is then compared with the data.
    private static func reading<Store>(
        _ name: String, _ source: FlightSource, _ open: @escaping (String) throws -> Store,
        read: @escaping (Store) throws -> [Flight]
    ) -> Form {
        .file(
            name,
            { path in
                try FlightTables.create(path)
                try RawStore.flights(path).insert(source.data())
            },
            open, work: read, check: { _, flights in try FlightCheck.flights(flights, source.data()) })
    }
}
