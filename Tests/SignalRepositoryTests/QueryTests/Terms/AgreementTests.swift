import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("SQL and Swift agree", .timeLimit(.minutes(20))) struct AgreementTests {
    /// The number of expressions of each kind for each seed; 2,100 make 100,000 with eight seeds and six kinds.
    ///
    /// `EXPRESSIONS` sets the number for SQLite; a soak tries more on a server too.
    private static func count(_ kind: StoreKind) -> Int {
        isSoak ? 2_100 : kind == .postgres ? 60 : HistoryTests.number("EXPRESSIONS") ?? 400
    }

    private static func rows(_ kind: StoreKind, _ seed: Int) -> [Measure] {
        var random = SeededGenerator(seed: UInt64(seed))
        return (0..<10).map { place in
            var row = Measure.random(place, &random)
            (row.text, row.kind) = (TextZoo.random(&random), place % 3 == 0 ? nil : TextZoo.random(&random))
            if place < 3 {
                (row.whole, row.real) = ([100, -100, -1][place], [.infinity, -.infinity, 0][place])
            }
            // The longest texts would make everything slow.
            if row.text.utf8.count > 100 { row.text = "long" }
            if let kind = row.kind, kind.utf8.count > 100 { row.kind = "long" }
            return kind == .postgres ? row.withoutNUL : row
        }
    }

    @Test(
        "R20 Random conditions and expressions mean in SQL what they mean in Swift",
        arguments: [StoreKind.memory, .postgres], 0..<8)
    func random(kind: StoreKind, seed: Int) async throws {
        let rows = Self.rows(kind, seed)
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert(rows).value()
            let failures = try await repository.read { store in
                var generator = ExpressionGenerator(random: SeededGenerator(seed: UInt64(seed + 100)), kind: kind)
                var failures: [String] = []
                for _ in 0..<Self.count(kind) {
                    let conditions = (generator.condition(2), generator.condition(3))
                    let whole = generator.whole(3)
                    let real = generator.real(3)
                    let price = generator.price(3)
                    let text = generator.text(3)
                    let wholeNumber = Self.number(whole.term)
                    let query = Measure.all.select { _ in
                        (
                            conditions.0.term, conditions.1.term, wholeNumber.isWhole, wholeNumber.number, real.term,
                            Self.number(price.term).number, text.term
                        )
                    }
                    for (row, found) in zip(rows, try store.fetch(query)) {
                        if found.0 != conditions.0.test(row) { failures.append("\(conditions.0.text) of \(row)") }
                        if found.1 != conditions.1.test(row) { failures.append("\(conditions.1.text) of \(row)") }
                        let number = whole.number(row)
                        if !Self.isSame(number, found.3) {
                            failures.append("\(whole.text) of \(row): \(found.3 ?? -1)")
                        }
                        if !Self.isSame(real.number(row), found.4) { failures.append("\(real.text) of \(row)") }
                        if !Self.isSame(price.number(row), found.5) { failures.append("\(price.text) of \(row)") }
                        if !found.6.isStored(like: text.value(row)) { failures.append("\(text.text) of \(row)") }
                    }
                    let passing = try store.fetch(Measure.where(conditions.1.term))
                    if passing != rows.filter(conditions.1.test) { failures.append("where \(conditions.1.text)") }
                    if failures.count > 5 { break }
                }
                return failures
            }.value()
            #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(3))")
        }
    }

    /// Converts a number that may be too large for `Int` to floating point.
    private static func number<Value>(
        _ term: Term<Measure, Value>
    ) -> (isWhole: Term<Measure, Bool>, number: Term<Measure, Double?>) {
        let real = Term<Measure, Double?>(catching: { () throws(RepositoryError) in
            let value = try term.value()
            let thousandths = try value.scaled(to: value.storageClass == .integer && value.scale > 0 ? 3 : 0)
            return TermValue(
                .operation(.arithmetic(.plus), [thousandths.term, .constant(.real(0))]), isOptional: true, .real)
        })
        return (.true, real)
    }

    private static func isSame(_ number: Computed?, _ found: Double?) -> Bool { number?.real == found }

    @Test(
        "The parts of a date equal the ones of Foundation's calendar, in any time zone",
        arguments: [StoreKind.memory, .postgres], 0..<8)
    func dates(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let zones = ["GMT", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "GMT+0545"]
        let zone = try #require(TimeZone(identifier: zones[seed % zones.count]))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let rows = (0..<300).map { id in
            var row = Measure.random(id, &random)
            // Dates from 1600 to 2600, where Foundation's calendar is Gregorian too, some at the end of a second.
            let seconds = Double(Int.random(in: -12_600_000_000...18_900_000_000, using: &random))
            row.date = Date(
                timeIntervalSinceReferenceDate: id % 3 == 0 ? seconds.nextDown : seconds + Double(id % 7) / 7)
            return row
        }
        try await withRepository(kind, [Measure.self]) { [calendar] repository async throws in
            try await repository.insert(rows).value()
            let found = try await repository.fetch(
                Measure.all.select {
                    (
                        $0.date.year(in: zone), $0.date.month(in: zone), $0.date.day(in: zone), $0.date.hour(in: zone),
                        $0.date.weekday(in: zone)
                    )
                }
            ).value()
            for (row, parts) in zip(rows, found) {
                // Foundation rounds fractions below a nanosecond; whole seconds are safe.
                let date = Date(timeIntervalSinceReferenceDate: row.date.timeIntervalSinceReferenceDate.rounded(.down))
                let expected = calendar.dateComponents([.year, .month, .day, .hour, .weekday], from: date)
                #expect(parts.0 == expected.year, "\(row.date) \(zone)")
                #expect(parts.1 == expected.month)
                #expect(parts.2 == expected.day)
                #expect(parts.3 == expected.hour, "\(row.date) \(zone)")
                #expect(parts.4 == expected.weekday, "\(row.date) \(zone)")
            }
        }
    }

    @Test("A computed text is searched for a part and for a prefix", arguments: StoreKind.allCases)
    func joined(kind: StoreKind) async throws {
        try await withRepository(kind, [Box<String?>.self]) { repository in
            let texts: [String?] = ["ab", "b", nil, ""]
            try await repository.insert(texts.enumerated().map { Box(id: $0, value: $1) }).value()
            let all = Box<String?>.all.sorted(by: \.id)
            let found = try await repository.fetch(all.where { ($0.value + "c").contains("bc") }).value()
            #expect(found.map(\.id) == [0, 1])
            let others = try await repository.fetch(all.where { !($0.value + "c").hasPrefix("a") }).value()
            #expect(others.map(\.id) == [1, 2, 3])
        }
    }

    @Test("A product and a sum of decimals are exact, whatever their decimal places", arguments: StoreKind.allCases)
    func decimals(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let rows = try await repository.fetch(
                Striker.all.select {
                    ($0.fee * Decimal(string: "1.195")!, $0.fee + Decimal(string: "0.0001")!, -$0.fee)
                }
            ).value()
            for (player, row) in zip(league.players, rows) {
                #expect(row.0 == player.fee * Decimal(string: "1.195")!)
                #expect(row.1 == player.fee + Decimal(string: "0.0001")!)
                #expect(row.2 == -player.fee)
            }
            let dear = Striker.where { $0.fee * 3 > Decimal(string: "10.005")! }
            #expect(
                try await repository.fetch(dear).value()
                    == league.players.filter { $0.fee * 3 > Decimal(string: "10.005")! })
        }
    }
}
