import Foundation
import SignalRepository

/// Entities whose declarations do not read back what they write, or do so only of some items.
extension ReadBackTests {
    struct Numbers: Entity {
        let id: Int
        var a: Int
        var b: Int64
        static let schema = Schema<Numbers> {
            Column("id", \.id)
            Column("a", \.a)
            Column("b", \.b)
        } decode: { row in
            let id: Int = try row.next()
            let b: Int64 = try row.next()
            return try Numbers(id: id, a: row.next(), b: b)
        }
    }

    struct Moments: Entity {
        let id: Int
        var at: Date
        var seconds: Double
        static let schema = Schema<Moments> {
            Column("id", \.id)
            Column("at", \.at)
            Column("seconds", \.seconds)
        } decode: { row in
            let id: Int = try row.next()
            let seconds: Double = try row.next()
            return try Moments(id: id, at: row.next(), seconds: seconds)
        }
    }

    struct Prices: Entity {
        let id: Int
        var n: Int
        var price: Decimal
        static let schema = Schema<Prices> {
            Column("id", \.id)
            Column("n", \.n)
            Column("price", \.price, .scale(2))
        } decode: { row in
            let id: Int = try row.next()
            let price: Decimal = try row.next()
            return try Prices(id: id, n: row.next(), price: price)
        }
    }

    struct Switches: Entity {
        let id: Int
        var isOn: Bool
        var n: Int
        static let schema = Schema<Switches> {
            Column("id", \.id)
            Column("isOn", \.isOn)
            Column("n", \.n)
        } decode: { row in
            let id: Int = try row.next()
            let n: Int = try row.next()
            return try Switches(id: id, isOn: row.next(), n: n)
        }
    }

    enum Genre: String, ColumnValue { case drama, comedy }

    struct Titles: Entity {
        let id: Int
        var title: String
        var genre: Genre?
        static let schema = Schema<Titles> {
            Column("id", \.id)
            Column("title", \.title)
            Column("genre", \.genre)
        } decode: { row in
            let id: Int = try row.next()
            let genre: Genre? = try row.next()
            return try Titles(id: id, title: row.next(), genre: genre)
        }
    }

    struct Codes: Entity {
        let id: UUID
        var data: Data
        static let schema = Schema<Codes> {
            Column("id", \.id)
            Column("data", \.data)
        } decode: { row in
            let data: Data = try row.next()
            return try Codes(id: row.next(), data: data)
        }
    }

    /// An entity whose closure could not read a nil.
    struct Loose: Entity {
        let id: Int
        var name: String?
        static let schema = Schema<Loose> {
            Column("id", \.id)
            Column("name", \.name)
        } decode: { row in
            let id: Int = try row.next()
            let name: String = try row.next()
            return Loose(id: id, name: name)
        }
    }

    struct Converted: Entity {
        let id: Int
        var a: Int
        var b: Int64
        static let schema = Schema<Converted> {
            Column("id", \.id)
            Column("a", \.a)
            Column("b", \.b)
        } decode: { row in
            let (id, a): (Int, Int) = (try row.next(), try row.next())
            let b: Int64 = try row.next()
            return Converted(id: id, a: Int(b), b: Int64(a))
        }
    }

    struct Named: Entity {
        let id: Int
        var name: String?
        static let schema = Schema<Named> {
            Column("id", \.id)
            Column("name", \.name)
        } decode: { row in
            let id: Int = try row.next()
            let name: String? = try row.next()
            return Named(id: id, name: name ?? "none")
        }

        struct Whole: Entity, Equatable {
            let id: Int
            var name: String?
            var count: Int?
            static let schema = Schema<Whole> {
                Column("id", \.id)
                Column("name", \.name)
                Column("count", \.count)
            } decode: { row in
                try Whole(id: row.next(), name: row.next(), count: row.next())
            }
        }
    }

    struct Constant: Entity {
        let id: Int
        var note: String
        static let schema = Schema<Constant> {
            Column("id", \.id)
            Column("note", \.note)
        } decode: { row in
            let id: Int = try row.next()
            let _: String = try row.next()
            return Constant(id: id, note: "")
        }
    }

    struct Quote: Entity, Equatable {
        struct Price: Codable, Equatable { var amount: Decimal }
        let id: Int
        var price: Price
        var last: Price?
        static let schema = Schema(
            Column("id", \Quote.id), Column("price", json: \.price), Column("last", json: \.last), make: Quote.init)
    }

    struct Coded: Entity {
        struct Grade: RawRepresentable, ColumnValue {
            let rawValue: Int
            init?(rawValue: Int) {
                guard 1...6 ~= rawValue else { return nil }
                self.rawValue = rawValue
            }
            private init(unchecked: Int) { rawValue = unchecked }
            static func unchecked(_ number: Int) -> Grade { Grade(unchecked: number) }
        }
        let id: Int
        var text: String
        var grade: Grade?
        static let schema = Schema(
            Column("id", \Coded.id),
            Column(
                "text", \.text, encode: { $0 },
                decode: { (text: String) in
                    guard Int(text) != nil else { throw Wrong() }
                    return text
                }), Column("grade", \.grade), make: Coded.init)
    }

    struct Wrong: Error {}

    /// A type with custom coding functions, which cannot read a negative number.
    struct Weight: ColumnValue {
        var grams: Int
        static var storageClass: StorageClass { .integer }
        static func read(from cell: ColumnCell) throws -> Weight {
            let grams = try cell.integer()
            guard grams >= 0 else { throw Wrong() }
            return Weight(grams: Int(grams))
        }
        func write(to slot: ColumnSlot) throws { try slot.bind(integer: Int64(grams)) }
    }

    struct Weighed: Entity {
        let id: Int
        var weight: Weight
        static let schema = Schema(Column("id", \Weighed.id), Column("weight", \.weight), make: Weighed.init)
    }

    struct Rounded: Entity {
        let id: Int
        var price: Double
        static let schema = Schema(
            Column("id", \Rounded.id),
            Column("price", \.price, encode: { Int(($0 * 100).rounded()) }, decode: { Double($0) / 100 }),
            make: Rounded.init)
    }
}
