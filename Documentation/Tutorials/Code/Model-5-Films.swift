import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)
    }
}
