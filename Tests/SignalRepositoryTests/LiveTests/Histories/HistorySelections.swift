import SignalRepository
import Signals
import SignalsTesting

// Selections, counts and aggregates of one table or several, whose rows are compared as text.
extension LinkedQuery {
    static let selections: [Maker] = rows + distinct + counted + aggregated + real + last

    /// `empty` is the text of the only row of an empty store, if there is one.
    private static func selection<Row: Sendable>(
        _ name: String, _ query: SelectQuery<Row>, empty: String? = nil
    ) -> Maker {
        { index in
            LinkedQuery(
                name, at: index, empty: empty.map { [$0] } ?? [],
                { $0.fetchSubscription(query).map { rows in rows.map { "\($0)" } } },
                { store in try store.fetch(query).map { "\($0)" } })
        }
    }

    private static func value<Query: LiveRepositoryQuery>(_ name: String, _ query: Query, empty: String) -> Maker {
        { index in
            LinkedQuery(
                name, at: index, empty: [empty], { $0.follow(query).map { ["\($0)"] } },
                { store in ["\(try query.answer(in: store))"] }
            )
        }
    }

    private static let rows: [Maker] = [
        selection(
            "prices", Piece.where { $0.price > 1 }.sorted(by: \.price).select { ($0.title, $0.price * 2) }.limit(5)),
        selection("texts of entries", Entry.all.select { ($0.text, $0.uses + 1) }.offset(1)),
        selection("studios by length", Piece.all.sorted { $0.title.count }.select { ($0.studio, $0.id) }.limit(6)),
        selection("stars of pieces", Rating.joined(to: Piece.self).select { ($0.stars, $1.title) }.limit(8)),
        selection("pieces, counted", Piece.all.select { ($0.id, $0.count(of: Rating.self, by: \.piece)) }),
        selection("leaves and names", Leaf.leftJoined(to: Leaf.self, on: \.parent).select { ($0.id, $1.name) }),
        selection(
            "pieces with ratings",
            Piece.where { $0.exists(Rating.self, by: \.piece) }.select { ($0.title, $0.studio) }),
    ]

    private static let distinct: [Maker] = [
        selection("studios", Piece.where { $0.price > 3 }.select { $0.studio }.distinct()),
        selection(
            "studios from the end",
            Piece.all.sorted(by: \.studio, .descending).select { ($0.studio, $0.price > 5) }.distinct().limit(4)
                .offset(1)),
        selection("studios of ratings", Rating.joined(to: Piece.self).select { $1.studio }.distinct()),
        selection("kinds of leaves", Leaf.all.select { ($0.piece == nil, $0.entry) }.distinct().limit(3)),
    ]

    private static let counted: [Maker] = [
        value("rated", Rating.joined(to: Piece.self).where { $0.stars > 1 && $1.price > 2 }.count, empty: "0"),
        value("pieces that are rated", Piece.where { $0.exists(Rating.self, by: \.piece) }.count, empty: "0"),
        value("a page of pieces", Piece.where { $0.price > 2 }.offset(2).limit(5).count, empty: "0"),
        value("more than three entries", Entry.all.offset(3).exists, empty: "false"),
        value("a leaf of a leaf", Leaf.joined(to: Leaf.self, on: \.parent).exists, empty: "false"),
        value(
            "price of rated pieces", Piece.where { $0.exists(Rating.self, by: \.piece) }.sum(of: \.price), empty: "0"),
    ]

    private static let aggregated: [Maker] = [
        selection(
            "all ratings",
            Rating.joined(to: Piece.self).aggregate {
                ($0.id.count(), $0.stars.sum(), $1.price.max(), $1.studio.count(distinct: true))
            }, empty: "(0, 0, nil, 0)"),
        selection(
            "titles by studio",
            Piece.all.grouped { $0.studio }.aggregate { ($0.title.count(distinct: true), $0.price.min()) }),
        selection(
            "studios of dear pieces", Piece.all.aggregate { $0.studio.count(distinct: true, where: $0.price > 3) },
            empty: "0"),
        selection(
            "best of each piece",
            Rating.joined(to: Piece.self).grouped { $1 }.aggregate { rating, _ in rating.stars.max() }
        ),
        selection(
            "ratings below the price",
            Rating.leftJoined(to: Piece.self) { $0.stars < $1.id }.grouped { rating, _ in rating.stars }
                .aggregate { ($0.id.count(), $1.weight.max()) }),
        selection(
            "leaves of entries by use",
            Leaf.leftJoined(to: Entry.self, on: \.entry).grouped { $1.uses }
                .having { leaf, _ in leaf.id.count() > 1 }.sorted(.descending) { leaf, _ in leaf.id.count() }
                .aggregate { leaf, _ in leaf.name.max() }),
    ]

    private static let real: [Maker] = [
        selection("tenths", Piece.all.aggregate { ($0.weight * 0.1).sum() }, empty: "0.0"),
        selection(
            "weights by price",
            Piece.all.grouped { $0.price > 5 }.aggregate { ($0.weight.sum(), ($0.weight / 3).average()) }),
        selection(
            "gauges",
            Gauge.where { $0.real < 2 }.aggregate { ($0.real.sum(), $0.real.average()) }, empty: "(0.0, nil)"),
        selection(
            "weights of ratings", Rating.joined(to: Piece.self).aggregate { ($1.weight / 7).sum() }, empty: "0.0"),
    ]

    private static let last: [Maker] = [
        value("last piece", Piece.all.last, empty: "nil"),
        value("last title", Piece.all.sorted(by: \.title).last, empty: "nil"),
        value("last of some", Piece.where { $0.price > 1 }.sorted(by: \.price).limit(4).last, empty: "nil"),
        selection(
            "leaves by length",
            Leaf.joined(to: Leaf.self, on: \.parent).sorted(.descending) { $1.name.count }.select { ($0.name, $1.id) }
                .limit(5)),
    ]
}
