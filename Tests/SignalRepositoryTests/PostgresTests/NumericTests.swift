import SignalRepository
import SignalRepositoryPostgres
import Testing

@Suite("Numbers of any size that a server sends") struct NumericTests {
    private func withStore(_ body: @escaping @Sendable (ReadTransaction) throws -> Void) async throws {
        let repository = try PostgresRepository(TestServer.shared.get().store(), entities: Film.self)
        try await repository.read(body).value()
        await closed(repository)
    }

    private static func read(_ text: String, _ store: ReadTransaction) throws -> Int? {
        try store.rows("SELECT CAST(? AS text)::numeric", text, as: Int.self).first
    }

    @Test("Whole numbers of 64 bits are read, with or without decimal places") func whole() async throws {
        try await withStore { store in
            let numbers: [Int] = [0, 1, -1, 9_999, 10_000, -10_001, 99_999_999, 100_000_000, -1_234_567_890_123]
            for number in numbers + [.max, .min, .min + 1] {
                let (plain, placed) = (try Self.read("\(number)", store), try Self.read("\(number).000000", store))
                #expect(plain == number && placed == number)
            }
        }
    }

    @Test("A number that is too large fails as .overflow, and a fraction, NaN or infinity as .decoding")
    func others() async throws {
        try await withStore { store in
            for text in ["9223372036854775808", "-9223372036854775809", "1e30", "-1e30"] {
                #expect {
                    try Self.read(text, store)
                } throws: {
                    ($0 as? RepositoryError)?.isOverflow == true
                }
            }
            let others = [
                "NaN", "Infinity", "-Infinity", "0.5", "-0.0001", "1.5", "10000.00001", "9223372036854775808.5",
            ]
            for text in others {
                #expect {
                    try Self.read(text, store)
                } throws: { error in
                    if case .decoding? = error as? RepositoryError { true } else { false }
                }
            }
        }
    }
}
