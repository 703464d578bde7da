import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Foundation predicates") struct PredicateTests {
    /// Fetches by the predicate, and compares the result with the predicate's own evaluation.
    private func agree(
        _ predicate: Predicate<Measure>, _ repository: any Repository, _ rows: [Measure],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = try rows.filter { try predicate.evaluate($0) }
        let found = try await repository.fetch(Measure.where(predicate)).value()
        #expect(found == expected, sourceLocation: sourceLocation)
        let opposite = try await repository.count(Measure.self) { _ in !.predicate(predicate) }.value()
        #expect(opposite == rows.count - expected.count, sourceLocation: sourceLocation)
    }

    @Test("A predicate finds the items for which it evaluates to true", arguments: 0..<4)
    func agreement(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<60).map { place in
            var row = Measure.random(place, &random)
            row.text = ["Fargo", "far", "", "a\0b", "e\u{301}x", "Heat"][place % 6]
            return row
        }
        let (limit, name, kind) = (3, "far", rows[1].kind)
        try await withRepository(.memory, [Measure.self]) { repository async throws in
            try await repository.insert(rows).value()
            try await agree(#Predicate { $0.whole > limit && $0.text == name }, repository, rows)
            try await agree(#Predicate { $0.whole <= 2 || !($0.real < 1.5) }, repository, rows)
            try await agree(#Predicate { $0.text.contains("ar") }, repository, rows)
            try await agree(#Predicate { $0.text.starts(with: "Far") }, repository, rows)
            try await agree(#Predicate { $0.text.count > 3 || $0.text.isEmpty }, repository, rows)
            try await agree(#Predicate { $0.kind == kind }, repository, rows)
            try await agree(#Predicate { $0.kind != nil }, repository, rows)
            try await agree(#Predicate { ($0.kind ?? "none") == "none" }, repository, rows)
            try await agree(#Predicate { $0.whole * 2 + 1 > $0.whole + 4 }, repository, rows)
            try await agree(#Predicate { -$0.whole < limit && 4 > $0.whole }, repository, rows)
            try await agree(#Predicate { $0.whole / 3 == 1 || $0.whole % 3 == 2 }, repository, rows)
            try await agree(#Predicate { ($0.maybeReal ?? 0) > 0.5 }, repository, rows)
            try await agree(#Predicate { (1...4).contains($0.whole) }, repository, rows)
            try await agree(#Predicate { (limit..<8).contains($0.whole) }, repository, rows)
            try await agree(#Predicate { $0.isDone && $0.price > 1 }, repository, rows)
            try await agree(#Predicate { $0.isDone == false }, repository, rows)
        }
    }

    @Test("R20 A text is searched by whole characters, as the predicate itself does")
    func texts() async throws {
        let texts =
            TextZoo.texts.filter { $0.utf8.count < 100 } + [
                "\n", "\r\n", "\r", "a\r\nb", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "\u{1F1EA}\u{1F1EB}",
                "\u{1F1E9}\u{1F1EA}", "e", "ab", "b",
            ]
        let rows = texts.enumerated().map { Name(id: $0.offset, text: $0.element) }
        try await withRepository(.memory, [Name.self]) { repository async throws in
            try await repository.insert(rows).value()
            for other in texts {
                for predicate in [
                    #Predicate<Name> { $0.text.contains(other) }, #Predicate<Name> { $0.text.starts(with: other) },
                ] {
                    let found = try await repository.fetch(Name.where(predicate)).value().map(\.id)
                    let expected = try rows.filter { try predicate.evaluate($0) }.map(\.id)
                    #expect(found == expected, "\(other.debugDescription)")
                }
            }
        }
    }

    @Test("An expression without an equivalent in SQL is refused, and the message names it")
    func refused() async throws {
        try await withRepository(.memory, [Measure.self]) { repository async throws in
            let (names, zero) = (["a", "b"], 0)
            let predicates: [(Predicate<Measure>, String)] = [
                (#Predicate { row in names.contains { $0 == row.text } }, "SequenceContainsWhere"),
                (#Predicate { $0.whole > 1 ? true : false }, "Conditional"),
                (#Predicate { $0.whole / zero == 1 }, "by zero"), (#Predicate { $0.whole % zero == 1 }, "by zero"),
            ]
            for (predicate, name) in predicates {
                await expectFailure({
                    if case .misuse(let detail) = $0 { detail.contains(name) } else { false }
                }) { try await repository.fetch(Measure.where(predicate)).value() }
            }
        }
        try await withRepository(.memory, [Reading.self]) { repository async throws in
            let rows = [0.2, 0.25, -1.5].enumerated().map { Reading(id: $0.offset, ratio: $0.element) }
            try await repository.insert(rows).value()
            let found = try await repository.fetch(Reading.where(#Predicate { $0.ratio > 0.2 })).value()
            #expect(found == [rows[1]])
            // SQLite would compute with 64 bits instead of 32.
            for predicate in [#Predicate<Reading> { $0.ratio + 0.1 == 0.3 }, #Predicate<Reading> { -$0.ratio < 0 }] {
                await expectFailure({
                    if case .misuse(let detail) = $0 { detail.contains("Float") } else { false }
                }) { try await repository.fetch(Reading.where(predicate)).value() }
            }
        }
    }
}

private struct Name: Entity, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(Column("id", \Name.id), Column("text", \.text), make: Name.init)
}

private struct Reading: Entity, Equatable {
    let id: Int
    var ratio: Float
    static let schema = Schema(Column("id", \Reading.id), Column("ratio", \.ratio), make: Reading.init)
}
