import Foundation
import SignalRepository
import Testing

/// Functions of texts that mean something else on a server, and are refused there.
@Suite("Functions of texts on a server", .timeLimit(.minutes(10))) struct ServerTextTests {
    /// Each function by its name, in a query for the film "Fargo".
    private static let queries: [(name: String, query: FetchQuery<Film>)] = [
        ("count", Film.where { $0.title.count == 5 }),
        ("lowercased", Film.where { $0.title.lowercased() == "fargo" }),
        ("uppercased", Film.where { $0.title.uppercased() == "FARGO" }),
        ("prefix", Film.where { $0.title.prefix(1) == "F" }),
        ("suffix", Film.where { $0.title.suffix(1) == "o" }),
        ("dropFirst", Film.where { $0.title.dropFirst() == "argo" }),
        ("dropLast", Film.where { $0.title.dropLast() == "Farg" }),
        ("contains", Film.where(#Predicate<Film> { $0.title.contains("arg") })),
        ("starts", Film.where(#Predicate<Film> { $0.title.starts(with: "Fa") })),
    ]

    @Test("Each is a misuse that states the reason, and works in a file", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.create(Film.numbered(1, title: "Fargo")).value()
            for (name, query) in Self.queries {
                guard kind == .postgres else {
                    #expect(try await repository.count(query).value() == 1, "\(name)")
                    continue
                }
                await expectFailure({ error in
                    guard case .misuse(let detail) = error else { return false }
                    return detail.contains("counts code points and knows other letters")
                }) { try await repository.count(query).value() }
            }
        }
    }
}
