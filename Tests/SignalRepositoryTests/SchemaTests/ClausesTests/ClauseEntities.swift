import Foundation
import SignalRepository

/// A hall, whose key is two columns.
struct Hall: Entity, Equatable {
    let town: String
    let number: Int
    var seats: Int
    var id: CompositeKey<String, Int> { CompositeKey(town, number) }

    static let schema = Schema(
        Column("town", \Hall.town), Column("number", \.number), Column("seats", \.seats), key: [\.town, \.number],
        make: Hall.init)
}

/// A booking of a seat, with every kind of clause.
struct Booking: Entity, Equatable {
    let id: Int
    var town: String?
    var hall: Int?
    var seat: Int
    var price: Decimal
    var fee: Double
    var discount: Double?
    var isCancelled = false
    /// Computed by the store.
    var half = 0.0
    /// Computed by the store.
    var name = ""

    static let schema = Schema<Booking>(
        clauses: [
            .check("a seat's number") { $0.seat >= 1 && $0.seat != 13 },
            .check("it's \"free\"? no") { $0.price >= 0 && ($0.discount >= -1 || $0.discount == nil) },
            .check("in SQL", sql: "\"fee\" < \(1_000.5) OR \"town\" = \("O'Hare?")"),
            .unique("a seat is booked once", [\.town, \.hall, \.seat]) { !$0.isCancelled },
            .index("cheap ones", [\.price]) { $0.price < 10 },
            .index("by half", sql: "(\"fee\" / 2)"),
            .references([\.town, \.hall], Hall.self, onDelete: .cascade),
        ]
    ) {
        Column("id", \.id)
        Column("town", \.town)
        Column("hall", \.hall)
        Column("seat", \.seat)
        Column("price", \.price, .scale(2))
        Column("fee", \.fee)
        Column("discount", \.discount)
        Column("isCancelled", \.isCancelled)
        Column("half", \.half, .indexed, computed: { $0.fee / 2 - ($0.discount ?? 0) })
        Column("name", \.name, computedBy: "coalesce(\"town\", 'nowhere') || '-' || CAST(\"seat\" AS text)")
    } decode: { row in
        try Booking(
            id: row.next(), town: row.next(), hall: row.next(), seat: row.next(), price: row.next(), fee: row.next(),
            discount: row.next(), isCancelled: row.next(), half: row.next(), name: row.next())
    }

    /// A booking that satisfies every clause, as a program creates it.
    static func made(_ id: Int, seat: Int? = nil, fee: Double = 3) -> Booking {
        Booking(id: id, town: "Ulm", hall: 1, seat: seat ?? 100 + id, price: 9.5, fee: fee, half: -1, name: "stale")
    }

    /// The booking as it is stored.
    var stored: Booking {
        var booking = self
        booking.half = fee / 2 - (discount ?? 0)
        booking.name = "\(town ?? "nowhere")-\(seat)"
        return booking
    }
}

/// The bookings and fees of each town: a view.
struct Sale: Entity, Equatable {
    let id: String
    var bookings: Int
    var fees: Double

    static let schema = Schema(
        Column("id", \Sale.id), Column("bookings", \.bookings), Column("fees", \.fees),
        clauses: [
            .view(
                """
                SELECT "town" AS id, count(*) AS bookings, sum("fee") AS fees FROM "Booking" \
                WHERE "town" IS NOT NULL AND "seat" <> \(7) GROUP BY "town"
                """)
        ],
        make: Sale.init)
}
