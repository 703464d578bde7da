import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

private struct Packet: Entity {
    let id: Int
    var bytes: Data
    static let schema = Schema(Column("id", \Packet.id), Column("bytes", \.bytes), make: Packet.init)
}

@Suite("Large conditions", .timeLimit(.minutes(10))) struct LargeConditionTests {
    private func withFilms(_ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(.memory) { repository async throws in
            try await repository.insert((0..<100).map { Film.numbered($0) }).value()
            try await body(repository)
        }
    }

    private func numbers(_ repository: any Repository, _ condition: Condition<Film>) async throws -> [Int] {
        try await repository.fetch(Film.where(condition)).value().map(\.number)
    }

    /// A condition that one film passes, by its title.
    private func isNumber(_ number: Int) -> Condition<Film> { Condition { $0.title == "Film \(number)" } }

    @Test("Fifteen hundred conditions can be joined by || or by &&, in either order")
    func chains() async throws {
        let tests = (50..<1_550).map(isNumber)
        let first = isNumber(49)
        try await withFilms { repository async throws in
            #expect(try await numbers(repository, tests.reduce(first) { $0 || $1 }) == Array(49..<100))
            #expect(try await numbers(repository, tests.reduce(first) { $1 || $0 }) == Array(49..<100))
            #expect(try await numbers(repository, tests.reduce(!first) { $0 && !$1 }) == Array(0..<49))
            #expect(try await numbers(repository, tests.reduce(!first) { !$1 && $0 }) == Array(0..<49))
            #expect(try await numbers(repository, !tests.reduce(first) { $0 || $1 }) == Array(0..<49))
        }
    }

    @Test("A long chain is held in parts, so adding a link does not copy all of it", arguments: [true, false])
    func links(isFirst: Bool) {
        let link = ConditionTree(node: .test(.constant(true)))
        var chain = link
        for _ in 1..<4_000 {
            chain = isFirst ? link.and(chain) : chain.and(link)
            guard case .all(let parts) = chain.node, parts.count < 130 else {
                return #expect(Bool(false), "\(chain.count)")
            }
        }
        #expect(chain.count == 4_000 && chain.depth == 1)
    }

    @Test("Ten thousand comparisons with one column become one list, whether joined one by one or at once")
    func oneColumn() async throws {
        let titles = (50..<10_050).map(isNumber)
        let numbers = (0..<10_000).map { number in
            Condition<Film> { $0.boxOffice.between(Decimal(number)...Decimal(number)) }
        }
        try await withFilms { repository async throws in
            let chain = titles.reduce(isNumber(49)) { $0 || $1 }
            for condition in [
                chain, .any(of: titles) || isNumber(49), !(.all(of: titles.map { !$0 }) && !isNumber(49)),
            ] {
                #expect(try SQLiteDialect().rows(where: condition).bindings.count < 10)
                #expect(try await self.numbers(repository, condition) == Array(49..<100))
                #expect(try await repository.count(Film.self) { _ in !condition }.value() == 49)
            }
            let names: [String?] = (0..<100).map { $0 == 0 ? nil : "Studio \($0)" }
            let studios = names.map { name -> Condition<Film> in Condition { $0.studio != name } }
            #expect(try await repository.count(Film.self) { _ in .all(of: studios) }.value() == 0)
            #expect(try await repository.count(Film.self) { _ in .any(of: studios.map { !$0 }) }.value() == 100)
            #expect(try await repository.count(Film.self) { _ in .any(of: numbers.prefix(2_000)) }.value() == 100)
        }
    }

    @Test(
        "Ten thousand keys of two columns are found, live too; 16,001 are too big",
        arguments: [StoreKind.memory, .postgres])
    func keysOfTwoColumns(kind: StoreKind) async throws {
        try await withRepository(kind, [Cell.self]) { repository async throws in
            try await repository.insert((0..<100).map { Cell(row: $0, column: $0 % 7, text: "") }).value()
            let ids = (90..<10_090).map { CompositeKey($0, $0 % 7) } + [CompositeKey(3, 4)]
            let found = Cell.where { $0.id.isIn(ids) }
            let live = repository.countSubscription(found).record()
            #expect(await live.values(1) == [10])
            #expect(try await repository.fetch(found).value().map(\.row) == Array(90..<100))
            #expect(try await repository.count(Cell.self) { !$0.id.isIn(ids) }.value() == 90)
            let plan = try await repository.explain(found).value()
            #expect(kind == .postgres || "\(plan)".contains("SEARCH"), "\(plan)")
            try await repository.create(Cell(row: 3, column: 4, text: "x")).value()
            #expect(await live.values(2) == [10, 11])
            await expectFailure(\.isTooBig) {
                let many = (0..<16_001).map { CompositeKey($0, 0) }
                return try await repository.count(Cell.self) { $0.id.isIn(many) }.value()
            }
        }
    }

    @Test("Four hundred conditions alternate between && and ||, in either order")
    func alternation() async throws {
        try await withFilms { repository async throws in
            var (left, right) = (isNumber(0), isNumber(0))
            var expected: Set = [0]
            for number in 1..<400 {
                let test = isNumber(number)
                if number.isMultiple(of: 3) {
                    (left, right) = (left && !test, !test && right)
                    expected.remove(number)
                } else {
                    (left, right) = (left || test, test || right)
                    if number < 100 { expected.insert(number) }
                }
            }
            #expect(try await numbers(repository, left) == expected.sorted())
            #expect(try await numbers(repository, right) == expected.sorted())
            #expect(try await numbers(repository, !left).count == 100 - expected.count)
        }
    }

    @Test("Random trees of many levels mean the same as in Swift", arguments: 0..<8)
    func randomTrees(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try await withFilms { repository async throws in
            var trees = (0..<200).map { _ in
                let number = Int.random(in: 0..<100, using: &random)
                return (condition: isNumber(number), numbers: Set([number]))
            }
            while trees.count > 1 {
                // Trees are taken mostly from one end, so that some become deep and some wide.
                let place = Bool.random(using: &random) ? 0 : Int.random(in: 0..<(trees.count - 1), using: &random)
                let (one, other) = (trees[place], trees.remove(at: place + 1))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: trees[place] = (one.condition && other.condition, one.numbers.intersection(other.numbers))
                case 1: trees[place] = (other.condition && !one.condition, other.numbers.subtracting(one.numbers))
                default: trees[place] = (other.condition || one.condition, one.numbers.union(other.numbers))
                }
            }
            #expect(try await numbers(repository, trees[0].condition) == trees[0].numbers.sorted())
            let others = try await numbers(repository, !trees[0].condition).count
            #expect(others == 100 - trees[0].numbers.count)
        }
    }

    @Test("A condition of 100,000 levels is too big, and neither building nor releasing it grows the stack")
    func nesting() async throws {
        try await withFilms { repository async throws in
            var condition = isNumber(0)
            for number in 0..<100_000 {
                condition = number.isMultiple(of: 2) ? condition || isNumber(1) : condition && isNumber(2)
            }
            let nested = condition
            await expectFailure(\.isTooBig) { try await repository.fetch(Film.where(nested)).value() }
            await expectFailure(\.isTooBig) { try await repository.count(Film.self) { _ in !nested || nested }.value() }
        }
    }

    @Test("More values than a statement can have are too big, and the message is short")
    func values() async throws {
        try await withFilms { repository async throws in
            let dates = (0..<20_000).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
            let twice = Condition<Film> { $0.releaseDate.isIn(dates) || $0.releaseDate.isIn(dates) }
            let many = (0..<33_000).map { Condition<Film>.raw("length(title) = ?", $0) }
            let chunks = stride(from: 0, to: many.count, by: 500).map { start in
                many[start..<min(start + 500, many.count)].reduce(isNumber(0)) { $0 || $1 }
            }
            for condition in [twice, chunks.reduce(isNumber(0)) { $0 || $1 }] {
                await expectFailure({ $0.isTooBig && "\($0)".utf8.count < 200 }) {
                    try await repository.count(Film.self) { _ in condition }.value()
                }
            }
        }
    }

    @Test("No computed value is in an empty list")
    func oneOfNone() async throws {
        try await withFilms { repository async throws in
            #expect(try await repository.count(Film.where { $0.title.count.isIn([]) }).value() == 0)
            #expect(try await repository.count(Film.where { !$0.title.count.isIn([]) }).value() == 100)
            #expect(try await repository.count(Film.where { $0.title.count.isIn([6]) }).value() == 10)
        }
    }

    @Test("Empty bytes are found in a long list, also of nothing else", arguments: StoreKind.allCases)
    func emptyBytes(kind: StoreKind) async throws {
        try await withRepository(kind, [Packet.self]) { repository async throws in
            try await repository.insert([Packet(id: 1, bytes: Data()), Packet(id: 2, bytes: Data([1]))]).value()
            for others in [[], [Data([2])], [Data([0])]] {
                let list = Array(repeating: Data(), count: 65) + others
                let found = try await repository.fetch(Packet.where { $0.bytes.isIn(list) }).value().map(\.id)
                #expect(found == [1])
                let rest = try await repository.fetch(Packet.where { !$0.bytes.isIn(list) }).value().map(\.id)
                #expect(rest == [2])
            }
        }
    }

    @Test("A text with NUL in a long list does not make the list too big")
    func textsWithNUL() async throws {
        try await withFilms { repository async throws in
            try await repository.create(Film.numbered(200, title: "a\0b", studio: "a\0")).value()
            let titles = (1..<40_000).map { "Film \($0)" }
            #expect(try await repository.count(Film.self) { $0.title.isIn(titles + ["a\0b"]) }.value() == 100)
            #expect(try await repository.count(Film.self) { $0.title.isIn(titles + ["a\0c"]) }.value() == 99)
            let studios = titles + [nil, "a\0", "a", "\u{301}"]
            #expect(try await repository.count(Film.self) { $0.studio.isIn(studios) }.value() == 101)
        }
    }
}

private struct Cell: Entity, Equatable {
    let row: Int
    let column: Int
    var text: String
    var id: CompositeKey<Int, Int> { CompositeKey(row, column) }

    static let schema = Schema(
        Column("row", \Cell.row), Column("column", \.column), Column("text", \.text), key: [\.row, \.column],
        make: Cell.init)
}
