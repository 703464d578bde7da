import SignalRepository
import Signals

/// A copy of the films of one store in another, and its check.
struct StoreCopy: Sendable {
    let source: any FilmRepository
    let target: any FilmRepository
    let batchSize: Int

    /// Copies film after film in the order of their ids, and delivers after each batch how many are stored: each batch
    /// is a transaction.
    ///
    /// A batch is read when the one before it is committed, so one or two are held at a time.
    var counts: Signal<Int, PlaygroundError> {
        target.authored(by: "copy", preservingTimes: true)
            .insert(from: source.stream(Self.inOrder), batch: batchSize).worded
    }

    /// Reads both stores side by side, in the order of the ids; `onStep` sees what was found after each thousand films.
    func compare(onStep: (Comparison) throws -> Void) async throws -> Comparison {
        var (left, right) = (Cursor(source), Cursor(target))
        var (first, second) = (try await left.next(), try await right.next())
        var comparison = Comparison()
        while let film = Self.earlier(first, second) {
            comparison.add(film.id, isEqual: first.map { second?.isIdentical(to: $0) ?? false } ?? false)
            let (isFirst, isSecond) = (film.id.isIdentical(to: first?.id), film.id.isIdentical(to: second?.id))
            if isFirst { first = try await left.next() }
            if isSecond { second = try await right.next() }
            if comparison.rows.isMultiple(of: 1_000) { try onStep(comparison) }
        }
        return comparison
    }

    /// Closes both stores.
    func close() async {
        await source.close().value()
        await target.close().value()
    }

    private static let inOrder = Film.all.sorted(by: \.id)

    /// The film whose id comes first, by its bytes, as both engines order texts; nil when both have ended.
    private static func earlier(_ first: Film?, _ second: Film?) -> Film? {
        guard let first, let second else { return first ?? second }
        return second.id.utf8.lexicographicallyPrecedes(first.id.utf8) ? second : first
    }

    /// The films of a store, of which a portion is held.
    private struct Cursor {
        private var portions: SignalValues<[Film], PlaygroundError>.AsyncIterator
        private var films: ArraySlice<Film> = []

        init(_ repository: any FilmRepository) {
            portions = repository.stream(StoreCopy.inOrder).worded.collect(1_000).values(prefetch: 1)
                .makeAsyncIterator()
        }

        mutating func next() async throws(PlaygroundError) -> Film? {
            if films.isEmpty { films = try await portions.next()?[...] ?? [] }
            return films.popFirst()
        }
    }
}

/// What comparing two stores row by row has found.
struct Comparison: Equatable, Sendable {
    /// How many films there are, in one of the stores or in both.
    private(set) var rows = 0
    private(set) var equal = 0
    /// The first film that is not the same in both, or is in one of them alone.
    private(set) var difference: Film.ID?

    mutating func add(_ id: Film.ID, isEqual: Bool) {
        rows += 1
        if isEqual { equal += 1 } else { difference = difference ?? id }
    }
}

extension Film {
    /// Whether every property is the same, texts byte by byte.
    func isIdentical(to other: Film) -> Bool {
        self == other && id.isIdentical(to: other.id) && title.isIdentical(to: other.title)
            && studio.map { $0.isIdentical(to: other.studio) } ?? true
            && genre.map { $0.isIdentical(to: other.genre) } ?? true
    }
}

extension String {
    /// Whether the bytes are the same: `==` takes both of Unicode's forms of a text for one.
    fileprivate func isIdentical(to other: String?) -> Bool {
        other.map { utf8.elementsEqual($0.utf8) } ?? false
    }
}
