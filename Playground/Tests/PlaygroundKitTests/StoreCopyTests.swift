import Foundation
import SignalRepository
import Testing

@testable import PlaygroundKit

@Suite("Comparing a copy")
struct StoreCopyTests {
    private func film(_ title: String, studio: String? = nil) -> Film {
        Film(title: title, releaseDate: nil, boxOffice: 1, studio: studio, genre: nil)
    }

    private func compare(_ first: [Film], _ second: [Film]) async throws -> Comparison {
        let source = try SQLiteRepository(.inMemory, entities: Film.self)
        let target = try SQLiteRepository(.inMemory, entities: Film.self)
        _ = try await source.insert(first).value()
        _ = try await target.insert(second).value()
        let copy = StoreCopy(source: source, target: target, batchSize: 10)
        let comparison = try await copy.compare { _ in }
        await copy.close()
        return comparison
    }

    @Test("A film that only one store has, or that differs in any property, is found")
    func differences() async throws {
        let films = (1...2_500).map { film("Film \(10_000 + $0)") }
        let same = try await compare(films, films.reversed())
        #expect((same.rows, same.equal) == (2_500, 2_500) && same.difference == nil)
        let nothing = try await compare([], [])
        #expect((nothing.rows, nothing.equal) == (0, 0) && nothing.difference == nil)
        var missing = films
        missing.remove(at: 1_200)
        for (first, second) in [(films, missing), (missing, films)] {
            let found = try await compare(first, second)
            #expect((found.rows, found.equal) == (2_500, 2_499) && found.difference == films[1_200].id)
        }
        for studio in ["", "e\u{301}"] {
            let other = film(films[7].title, studio: studio)
            let found = try await compare([film(films[7].title, studio: studio == "" ? nil : "é")], [other])
            #expect((found.rows, found.equal) == (1, 0) && found.difference == other.id)
        }
        let ends = try await compare([film("a")], [film("b"), film("c")])
        #expect((ends.rows, ends.equal) == (3, 0) && ends.difference == film("a").id)
    }

    @Test("Films are compared in the byte order of their ids, which is not Swift's order")
    func order() async throws {
        // By its bytes the first is less than the second. As a `String` it is greater, and equal to the third.
        let films = ["e\u{301}", "f", "é", "z"].map { id in
            Film(id: id, title: id, releaseDate: nil, boxOffice: nil, studio: nil, genre: nil, year: nil)
        }
        for others in [[films[1], films[3]], [films[2], films[3]], [films[0], films[3]]] {
            let found = try await compare(films, others)
            #expect((found.rows, found.equal) == (4, 2))
        }
        let forms = try await compare([films[0]], [films[2]])
        #expect((forms.rows, forms.equal) == (2, 0))
    }

    @Test("Progress is reported after each thousand films, and an error thrown there ends the comparison")
    func steps() async throws {
        let films = (1...2_500).map { film("Film \($0)") }
        let source = try SQLiteRepository(.inMemory, entities: Film.self)
        let target = try SQLiteRepository(.inMemory, entities: Film.self)
        let copy = StoreCopy(source: source, target: target, batchSize: 1_000)
        _ = try await source.insert(films).value()
        #expect(try await copy.counts.collect().value() == [1_000, 2_000, 2_500])
        var steps: [Int] = []
        _ = try await copy.compare { steps.append($0.rows) }
        #expect(steps == [1_000, 2_000])
        await #expect(throws: PlaygroundError("enough")) {
            try await copy.compare { _ in throw PlaygroundError("enough") }
        }
        await copy.close()
    }
}
