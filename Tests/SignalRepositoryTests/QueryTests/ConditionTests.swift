import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Conditions", .timeLimit(.minutes(10))) struct ConditionTests {
    /// A condition and its meaning in plain Swift.
    private struct Meaning: Sendable {
        let condition: Condition<Measure>
        let test: @Sendable (Measure) -> Bool
    }

    @Test(
        "A condition means the same as its Swift code, over random rows", arguments: [StoreKind.memory, .postgres],
        0..<12)
    func randomConditions(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<80).map { Measure.random($0, &random) }
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(rows).value()
            for _ in 0..<60 {
                let meaning = Self.tree(depth: 3, &random)
                let found = try await repository.fetch(Measure.where(meaning.condition)).value()
                #expect(found == rows.filter(meaning.test), "seed \(seed): \(meaning.condition)")
                let opposite = try await repository.count(Measure.self) { _ in !meaning.condition }.value()
                #expect(opposite == rows.count - found.count, "seed \(seed): \(meaning.condition)")
                // Tested on rows in memory, the condition has the same result.
                let columns = RowColumns(byCharacters: true) { Measure.schema.names.firstIndex(of: $0.name) }
                let test = try meaning.condition.stored().rowTest(columns)
                guard let test else { continue }
                let passing = try rows.filter { try test.passes(Measure.schema.values(of: $0)) }
                #expect(passing == found, "seed \(seed): \(meaning.condition)")
            }
        }
    }

    private static func tree(depth: Int, _ random: inout SeededGenerator) -> Meaning {
        guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
        let left = tree(depth: depth - 1, &random)
        let right = tree(depth: depth - 1, &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return Meaning(condition: left.condition && right.condition) { left.test($0) && right.test($0) }
        case 1: return Meaning(condition: left.condition || right.condition) { left.test($0) || right.test($0) }
        default: return Meaning(condition: !left.condition) { !left.test($0) }
        }
    }

    private static func leaf(_ random: inout SeededGenerator) -> Meaning {
        let number = Int.random(in: -6...6, using: &random)
        let real = Double(number) / 2
        let price = Decimal(number) / 2
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return Meaning(condition: Condition { $0.whole == number }) { $0.whole == number }
        case 1: return Meaning(condition: Condition { $0.whole != number }) { $0.whole != number }
        case 2: return Meaning(condition: Condition { $0.small == Int8(number) }) { $0.small == Int8(number) }
        case 3: return Meaning(condition: Condition { $0.small != Int8(number) }) { $0.small != Int8(number) }
        case 4: return Meaning(condition: Condition { $0.small == nil }) { $0.small == nil }
        case 5: return Meaning(condition: Condition { $0.kind != nil }) { $0.kind != nil }
        case 6: return Meaning(condition: Condition { $0.real < real }) { $0.real < real }
        case 7:
            return Meaning(condition: Condition { $0.maybeReal >= real }) { $0.maybeReal.map { $0 >= real } ?? false }
        case 8: return Meaning(condition: Condition { $0.price <= price }) { $0.price <= price }
        case 9:
            return Meaning(condition: Condition { $0.maybePrice > price / 100 }) {
                $0.maybePrice.map { $0 > price / 100 } ?? false
            }
        case 10:
            return Meaning(condition: Condition { $0.whole.between(-3...number.magnitude.asInt) }) {
                (-3...number.magnitude.asInt).contains($0.whole)
            }
        case 11:
            return Meaning(condition: Condition { $0.small.isIn([1, Int8(number), nil]) }) {
                [1, Int8(number), nil].contains($0.small)
            }
        case 12:
            return Meaning(condition: Condition { $0.text.isIn(["a", "it's", "a\\b", "日本"]) }) {
                ["a", "it's", "a\\b", "日本"].contains($0.text)
            }
        case 13: return Meaning(condition: Condition { $0.isDone == true }) { $0.isDone }
        case 14:
            return Meaning(condition: Condition { $0.date > Date(timeIntervalSinceReferenceDate: real) }) {
                $0.date > Date(timeIntervalSinceReferenceDate: real)
            }
        default: return Meaning(condition: .raw("abs(whole) > ?", number)) { abs($0.whole) > number }
        }
    }

    @Test("Text is found literally; only the case of A to Z is ignored", arguments: [StoreKind.memory, .postgres])
    func patterns(kind: StoreKind) async throws {
        let texts = ["50% off", "50 off", "a_b", "aXb", "back\\slash", "Äpfel", "äpfel", "UPPER", "it's"]
        try await withRepository(kind) { repository in
            _ = try await repository.insert(texts.enumerated().map { Film.numbered($0.offset, title: $0.element) })
                .value()
            func titles(_ condition: Condition<Film>) async throws -> [String] {
                try await repository.fetch(Film.where(condition)).value().map(\.title)
            }
            #expect(try await titles(Condition { $0.title.contains("0%") }) == ["50% off"])
            #expect(try await titles(Condition { $0.title.contains("A_") }) == ["a_b"])
            #expect(try await titles(Condition { $0.title.contains("k\\s") }) == ["back\\slash"])
            #expect(try await titles(Condition { $0.title.hasPrefix("upp") }) == ["UPPER"])
            #expect(try await titles(Condition { $0.title.hasSuffix("'S") }) == ["it's"])
            #expect(try await titles(Condition { $0.title.contains("Ä") }) == ["Äpfel"])
            #expect(try await titles(Condition { $0.title.contains("") }).count == texts.count)
            #expect(try await titles(Condition { $0.studio.contains("x") }).isEmpty)
        }
    }

    @Test(
        "R20 A text with NUL is compared by bytes, even where none can be stored", arguments: StoreKind.allCases)
    func textsWithNUL(kind: StoreKind) async throws {
        var random = SeededGenerator(seed: 9)
        let rows = TextZoo.texts.map(\.withoutNUL).enumerated().map { place, text in
            var row = Measure.random(place, &random)
            (row.text, row.kind) = (text, place % 2 == 0 ? nil : text)
            return row
        }
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(rows).value()
            func check(
                _ condition: Condition<Measure>, _ text: String, _ test: (ExactText?) -> Bool
            ) async throws {
                let found = try await repository.fetch(Measure.where(condition).sorted(by: \.id)).value()
                let expected = rows.filter { test($0.kind.map { ExactText($0) }) }
                #expect(found.map(\.id) == expected.map(\.id), "\(text.debugDescription)")
            }
            for text in ["\0", "a\0b", "a\0", "a0b\0", "\0\0", "zz\0"] {
                let exact = ExactText(text)
                try await check(Condition { $0.kind == text }, text) { $0 == exact }
                try await check(Condition { $0.kind != text }, text) { $0 != exact }
                try await check(Condition { $0.kind < text }, text) { $0.map { $0 < exact } ?? false }
                try await check(Condition { $0.kind <= text }, text) { $0.map { $0 <= exact } ?? false }
                try await check(Condition { $0.kind > text }, text) { $0.map { $0 > exact } ?? false }
                try await check(Condition { $0.kind >= text }, text) { $0.map { $0 >= exact } ?? false }
                try await check(Condition { !($0.kind > text) }, text) { !($0.map { $0 > exact } ?? false) }
                try await check(Condition { $0.kind.isIn([text, "a", nil]) }, text) {
                    $0 == nil || $0 == ExactText("a")
                }
                try await check(Condition { $0.kind.contains(text) }, text) { _ in false }
            }
        }
    }

    @Test("A long list loses no value; only SQLite limits a list of dates", arguments: [StoreKind.memory, .postgres])
    func longLists(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Measure.self]) { repository in
            let films = (0..<300).map { Film.numbered($0, title: "\"\($0)\"\n\\\u{1}\($0 % 7)") }
            try await repository.insert(films).value()
            let ids = (100..<100_000).map(Film.id)
            #expect(try await repository.count(Film.self) { $0.id.isIn(ids) }.value() == 200)
            #expect(try await repository.count(Film.self) { $0.id.isIn(ids.prefix(10)) }.value() == 10)
            let titles = films.map(\.title) + (0..<100_000).map { "none \($0)" }
            #expect(try await repository.count(Film.self) { $0.title.isIn(titles) }.value() == 300)
            #expect(try await repository.count(Film.self) { $0.title.isIn(["\0", films[0].title]) }.value() == 1)
            #expect(try await repository.count(Film.self) { $0.title.isIn([]) }.value() == 0)
            #expect(try await repository.count(Film.self) { !$0.title.isIn([]) }.value() == 300)
            let dates = (0..<40_000).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
            #expect(
                try await repository.count(Film.self) { $0.releaseDate.isIn(dates.prefix(30_000)) }.value() == 30)
            guard kind != .postgres else {
                #expect(try await repository.count(Film.self) { $0.releaseDate.isIn(dates) }.value() == 30)
                return
            }
            await expectFailure(\.isTooBig) {
                try await repository.count(Film.self) { $0.releaseDate.isIn(dates) }.value()
            }
        }
    }

    @Test("No string from a caller becomes SQL", arguments: [StoreKind.memory, .postgres])
    func injection(kind: StoreKind) async throws {
        let hostile = [
            "'; DROP TABLE Film; --", "\" OR 1=1 --", "%", "\\", kind == .postgres ? "$1" : "\0", "x' ESCAPE 'x", "?1",
            ":a",
        ]
        try await withRepository(kind) { repository in
            let films = hostile.enumerated().map {
                Film.numbered($0.offset, title: $0.element, studio: $0.element)
            }
            try await repository.insert(films).value()
            for (number, text) in hostile.enumerated() {
                #expect(try await repository.fetch(Film.where { $0.title == text }).value() == [films[number]])
                #expect(try await repository.fetch(Film.where { $0.studio.isIn([text]) }).value() == [films[number]])
                #expect(try await repository.count(Film.self) { _ in .raw("title = ?", text) }.value() == 1)
            }
            #expect(try await repository.count(Film.self).value() == hostile.count)
        }
    }

    @Test("A faulty condition is a typed error of the endpoint", arguments: [StoreKind.memory, .postgres])
    func faults(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Film.all.sorted(by: \.title.count)).value()
            }
            await expectFailure(\.isMisuse) { try await repository.count(Film.self) { _ in .raw("title = ?") }.value() }
            await expectFailure(\.isMisuse) { try await repository.count(Film.self) { _ in .raw("1", 2) }.value() }
            await expectFailure(\.isMisuse) {
                try await repository.count(Film.self) { _ in .raw("nonsense (") }.value()
            }
        }
    }
}

extension UInt {
    fileprivate var asInt: Int { Int(self) }
}
