import Foundation
import SignalRepository
import Signals
import SignalsTesting

/// An item that refers to the other kinds and to its own, often to nothing or to a missing item.
struct Leaf: Entity, Equatable {
    let id: Int
    var name: String
    /// The key of a piece, which may not exist.
    var piece: Int?
    /// The key of an entry, which may not exist.
    var entry: String?
    var parent: Int?

    static let schema = Schema(
        Column("id", \Leaf.id), Column("name", \.name), Column("piece", \.piece, .indexed),
        Column("entry", \.entry, .indexed), Column("parent", \.parent, .references(Leaf.self, onDelete: .cascade)),
        make: Leaf.init)

    static func random(_ random: inout SeededGenerator) -> Leaf {
        func some<Value>(_ value: Value) -> Value? { Int.random(in: 0..<4, using: &random) == 0 ? nil : value }
        let (piece, parent) = (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random))
        return Leaf(
            id: Int.random(in: 0..<12, using: &random), name: TextZoo.random(&random), piece: some(piece),
            entry: some(TextZoo.random(&random)), parent: parent < 8 ? some(parent) : nil)
    }
}

/// A rating with its piece, a leaf of that piece, and the leaf's entry.
struct RatingInfo: JoinedRow, Equatable {
    let rating: Rating
    let piece: Piece
    let leaf: Leaf?
    let entry: Entry?

    static let join = Join(
        Side(\RatingInfo.rating), Side(\.piece), Side(\.leaf) { $0.leaf.piece == $0.piece.id },
        Side(\.entry) { $0.entry.id == $0.leaf.entry },
        make: { RatingInfo(rating: $0, piece: $1, leaf: $2, entry: $3) })
}

/// A leaf with the pieces of smaller keys, their ratings, and the entries with more uses than a rating has stars.
struct LeafSpan: JoinedRow, Equatable {
    let leaf: Leaf
    let piece: Piece?
    let rating: Rating?
    let entry: Entry?

    private static let piece = Side(\LeafSpan.piece) { $0.leaf.id > $0.piece.id }
    private static let rating = Side(\LeafSpan.rating) { $0.rating.piece == $0.piece.id }
    private static let entry = Side(\LeafSpan.entry) { $0.entry.uses > $0.rating.stars }
    static let join = Join(Side(\LeafSpan.leaf), piece, rating, entry) {
        LeafSpan(leaf: $0, piece: $1, rating: $2, entry: $3)
    }
}

/// A leaf with the pieces of smaller keys if other leaves refer to it, and with ratings if it has no piece.
struct LeafGap: JoinedRow, Equatable {
    let leaf: Leaf
    let piece: Piece?
    let rating: Rating?

    private static let piece = Side(\LeafGap.piece) {
        $0.leaf.id > $0.piece.id && $0.leaf.exists(Leaf.self, by: \.parent)
    }
    private static let rating = Side(\LeafGap.rating) { $0.piece.id == nil && $0.leaf.id > $0.rating.stars }
    static let join = Join(Side(\LeafGap.leaf), piece, rating) { LeafGap(leaf: $0, piece: $1, rating: $2) }
}

/// A leaf with its piece, the leaves whose entry is the piece's studio, and the ratings of these leaves' keys.
///
/// A leaf without a piece has the leaves without an entry.
struct LeafMates: JoinedRow, Equatable {
    let leaf: Leaf
    let piece: Piece?
    let mate: Leaf?
    let rating: Rating?

    private static let piece = Side(\LeafMates.piece) { $0.leaf.piece == $0.piece.id }
    private static let mate = Side(\LeafMates.mate) { $0.mate.entry == $0.piece.studio }
    private static let rating = Side(\LeafMates.rating) { $0.rating.piece == $0.mate.id }
    static let join = Join(Side(\LeafMates.leaf), piece, mate, rating) {
        LeafMates(leaf: $0, piece: $1, mate: $2, rating: $3)
    }
}

/// A live query of several tables, and a fresh read of the same query.
struct LinkedQuery: Sendable {
    let fresh: @Sendable (ReadTransaction) throws -> any Sendable
    let follower: @Sendable (HistoryRepository, Demand) -> HistoryFollower

    /// The results of all of them.
    static func fresh(_ store: ReadTransaction) throws -> [any Sendable] { try all.map { try $0.fresh(store) } }

    init<Output: StoredValue>(
        _ name: String, at index: Int, empty: [Output] = [],
        _ follow: @escaping @Sendable (HistoryRepository) -> Signal<[Output], RepositoryError>,
        _ fresh: @escaping @Sendable (ReadTransaction) throws -> [Output]
    ) {
        self.fresh = fresh
        follower = { repository, demand in
            HistoryFollower(name, repository, demand: demand, follow) { state in
                state.linked.indices.contains(index) ? state.linked[index] as? [Output] ?? [] : empty
            }
        }
    }

    static let all: [LinkedQuery] = makers.enumerated().map { $1($0) }

    typealias Maker = @Sendable (Int) -> LinkedQuery
    private static let makers: [Maker] = joins + unequal + trees + conditions + ordered + selections

    private static func join<Item: Fetchable & Equatable & StoredValue>(
        _ name: String, _ query: FetchQuery<Item>
    ) -> Maker {
        { LinkedQuery(name, at: $0, { $0.fetchSubscription(query) }, { try $0.fetch(query) }) }
    }

    private static func tree<Root, Output: Equatable & StoredValue>(
        _ name: String, _ query: IncludingQuery<Root, Output>
    ) -> Maker {
        { LinkedQuery(name, at: $0, { $0.fetchSubscription(query) }, { try $0.fetch(query) }) }
    }

    /// Two queries: the list as an array, and with its changes.
    private static func lists<Item: Entity & Equatable & StoredValue>(
        _ name: String, _ query: FetchQuery<Item>
    ) -> [Maker] {
        let items: Maker = { LinkedQuery(name, at: $0, { $0.fetchSubscription(query) }, { try $0.fetch(query) }) }
        let changes: Maker = { index in
            LinkedQuery(
                "\(name) with changes", at: index, { $0.listSubscription(query).checked() }, { try $0.fetch(query) })
        }
        return [items, changes]
    }
}

extension LinkedQuery {
    fileprivate static let joins: [Maker] = [
        join("ratings of pieces", Rating.joined(to: Piece.self)),
        join(
            "best ratings",
            Rating.joined(to: Piece.self).where { $0.stars >= 2 && $1.price > 2 }
                .sorted(.descending) { $1.price }.limit(4).offset(1)),
        join("leaves of entries", Leaf.leftJoined(to: Entry.self, on: \.entry)),
        join("leaves of none", Leaf.leftJoined(to: Entry.self, on: \.entry).where { $1.id == nil }.limit(3)),
        join("leaves by use", Leaf.leftJoined(to: Entry.self, on: \.entry).sorted { $1.uses }.limit(5)),
        join(
            "leaves of leaves",
            Leaf.joined(to: Leaf.self, on: \.parent).where { leaf, _ in leaf.name != "a" }.sorted { $1.name }.limit(3)),
        join("leaves and their parents", Leaf.leftJoined(to: Leaf.self, on: \.parent)),
        join(
            "pieces by their ratings",
            Piece.joined(to: Rating.self) { $0.id == $1.piece }.sorted { piece, _ in piece.title }
                .sorted(.descending) { $1.stars }.limit(6)),
        join("pieces with leaves", Piece.leftJoined(to: Leaf.self) { $0.id == $1.piece && $1.name != "a" }.limit(7)),
        join("entries of leaves", Entry.joined(to: Leaf.self) { $0.id == $1.entry }.limit(6)),
        join("equal texts", Piece.joined(to: Leaf.self) { $0.studio == $1.entry }.limit(20)),
        join("everything", RatingInfo.all),
        join("leaves and their mates", LeafMates.all.limit(40)),
        join("leaves without a mate", LeafMates.where { $0.mate.id == nil }.sorted { $0.piece.title }),
        join(
            "some of everything",
            RatingInfo.where { $0.piece.price > 3 && $0.leaf.name != "T0" }.sorted { $0.entry.text }
                .sorted { $0.piece.title }.limit(4)),
    ]

    /// Joins whose conditions do not require two equal columns.
    fileprivate static let unequal: [Maker] = [
        join("dear ratings", Rating.joined(to: Piece.self) { $0.piece < $1.id && $1.weight > 0 }.limit(9)),
        join("pieces with few ratings", Piece.leftJoined(to: Rating.self) { $0.id * 2 <= $1.stars }.limit(20)),
        join("pieces of light pieces", Piece.leftJoined(to: Piece.self) { $0.weight > $1.weight && $1.id < 6 }),
        join("leaves of no greater leaf", Leaf.leftJoined(to: Leaf.self) { $0.parent < $1.id }.where { $1.id == nil }),
        join("all pairs", Rating.joined(to: Entry.self) { _, entry in entry.uses == 1 }.limit(15)),
        join(
            "pieces of leaves with leaves",
            Leaf.leftJoined(to: Piece.self) { $0.id > $1.id && $0.exists(Leaf.self, by: \.parent) }.limit(30)),
        join("leaves and all", LeafSpan.all.limit(30)),
        join("leaves, pieces or ratings", LeafGap.all.limit(30)),
        join(
            "some leaves and all",
            LeafSpan.where { $0.leaf.id > 3 && $0.piece.price > 2 }.sorted { $0.rating.stars }.limit(6)),
        tree(
            "leaves of both leaves",
            Leaf.leftJoined(to: Leaf.self, on: \.parent).including(many: Leaf.all, by: \.parent, of: \.right)
                .including(count: Leaf.where { $0.name > "a" }, by: \.parent, of: \.left)),
        tree(
            "pieces of both leaves",
            Leaf.joined(to: Leaf.self) { $0.id < $1.id }.including(parent: Piece.all, by: \.piece, of: \.right)
                .limit(12)),
    ]

    fileprivate static let trees: [Maker] = [
        tree(
            "pieces, two ratings each",
            Piece.all.including(many: Rating.all.sorted(by: \.stars).limit(2), by: \.piece).sorted(by: \.title)
                .limit(5)),
        tree("leaves, their entries", Leaf.all.including(parent: Entry.where { $0.uses > 0 }, by: \.entry)),
        tree(
            "pieces, counts",
            Piece.where { $0.price > 3 }.including(count: Leaf.where { $0.name != "a" }, by: \.piece)),
        tree(
            "pieces, leaves of leaves",
            Piece.all.including(many: Leaf.all.including(many: Leaf.all, by: \.parent), by: \.piece).limit(6)),
        tree(
            "pieces, entries",
            Piece.all.including(many: Entry.all.sorted(by: \.text), through: Leaf.all, from: \.piece, to: \.entry)),
        tree(
            "leaves with all",
            Leaf.where { $0.exists(Leaf.self, by: \.parent) }.including(parent: Piece.all, by: \.piece)
                .including(first: Leaf.all.sorted(by: \.name, .descending), by: \.parent)),
        tree(
            "ratings, leaves of their pieces",
            Rating.joined(to: Piece.self) { $0.piece == $1.id && $1.exists(Leaf.self, by: \.piece) }
                .including(many: Leaf.all, by: \.piece, of: \.right)
                .including(count: Leaf.where { $0.name > "a" }, by: \.piece, of: \.right).limit(6)),
        tree(
            "pieces, leaves with leaves",
            Piece.all.including(
                many: Leaf.where { $0.exists(Leaf.self, by: \.parent) { $0.name > "a" } }, by: \.piece)),
    ]

    fileprivate static let conditions: [Maker] =
        lists(
            "rated pieces",
            Piece.where { $0.exists(Rating.self, by: \.piece) { $0.stars > 3 } }.sorted(by: \.title).limit(4))
        + lists("pieces of some leaves", Piece.where { $0.count(of: Leaf.self, by: \.piece) > 1 || $0.price < 2 })
        + lists(
            "unread entries", Entry.where { !$0.exists(Leaf.self, by: \.entry) }.sorted(by: \.uses).limit(3).offset(1))
        + lists(
            "pieces of leaves of leaves",
            Piece.where {
                $0.exists(Leaf.self, by: \.piece) { $0.exists(Leaf.self, by: \.parent) { $0.name != "a" } }
                    || $0.exists(Leaf.self, by: \.piece) { !$0.exists(Leaf.self, by: \.parent) }
            }.sorted(by: \.studio, .descending))
        // One table by two references; here `parent` is taken for the key of a piece.
        + lists(
            "pieces by two references",
            Piece.where {
                $0.exists(Leaf.self, by: \.parent) { $0.name > "b" }
                    || $0.exists(Leaf.self, by: \.piece) { $0.exists(Leaf.self, by: \.parent) { $0.name != "a" } }
            })
}

extension LinkedQuery {
    /// Lists in an order of texts other than by their bytes; many of their texts are equal in this order.
    fileprivate static let ordered: [Maker] =
        lists("entries in German", Entry.all.sorted { $0.text.localized(Locale(identifier: "de_DE")) }.limit(4))
        + lists("pieces by length", Piece.all.sorted(.descending) { $0.title.collated(by: .length) }.limit(5).offset(1))
        + lists(
            "leaves by length",
            Leaf.where { $0.id > 1 }.sorted { $0.name.collated(by: .length) }.sorted(.descending) {
                $0.entry.localized()
            })
        + lists(
            "rated pieces in order",
            Piece.where { $0.exists(Rating.self, by: \.piece) }.sorted { $0.studio.localized() }.limit(3))
        + [
            join(
                "ratings by length of title",
                Rating.joined(to: Piece.self).sorted(.descending) { $1.title.collated(by: .length) }.limit(4))
        ]
}

extension SQLCollation {
    /// Sorts texts by their number of characters.
    static let length = SQLCollation("length") { $0.count < $1.count }
}

extension Leaf: StoredValue {
    func isStored(like other: Leaf) -> Bool {
        self == other && name.isStored(like: other.name) && entry.isStored(like: other.entry)
    }
}

extension RatingInfo: StoredValue {
    func isStored(like other: RatingInfo) -> Bool {
        rating.isStored(like: other.rating) && piece.isStored(like: other.piece) && leaf.isStored(like: other.leaf)
            && entry.isStored(like: other.entry)
    }
}

extension LeafSpan: StoredValue {
    func isStored(like other: LeafSpan) -> Bool {
        leaf.isStored(like: other.leaf) && piece.isStored(like: other.piece) && rating.isStored(like: other.rating)
            && entry.isStored(like: other.entry)
    }
}

extension LeafMates: StoredValue {
    func isStored(like other: LeafMates) -> Bool {
        leaf.isStored(like: other.leaf) && piece.isStored(like: other.piece) && mate.isStored(like: other.mate)
            && rating.isStored(like: other.rating)
    }
}

extension LeafGap: StoredValue {
    func isStored(like other: LeafGap) -> Bool {
        leaf.isStored(like: other.leaf) && piece.isStored(like: other.piece) && rating.isStored(like: other.rating)
    }
}
