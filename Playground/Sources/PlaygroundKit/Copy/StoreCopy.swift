import SignalRepository

/// A copy of the films of one store into another, and a comparison of both.
struct StoreCopy: Sendable {
    let source: any FilmRepository
    let target: any FilmRepository
    let batchSize: Int

    /// Copies films in the order of their ids, each batch in a transaction, and delivers the count after each batch.
    ///
    /// A batch is read when the previous one is committed, so memory holds one or two batches.
    var counts: Signal<Int, PlaygroundError> {
        target.authored(by: "copy", preservingTimes: true)
            .insert(from: source.stream(Self.inOrder), batch: batchSize).worded
    }

    /// Reads both stores side by side, in the order of the ids; `onStep` receives the result after each thousand films.
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

    /// Returns the film whose id comes first, by the bytes of the id, as both engines order texts; nil if both are nil.
    private static func earlier(_ first: Film?, _ second: Film?) -> Film? {
        guard let first, let second else { return first ?? second }
        return second.id.utf8.lexicographicallyPrecedes(first.id.utf8) ? second : first
    }

    /// A cursor over the films of a store, which holds one portion at a time.
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

/// The result of comparing two stores row by row.
struct Comparison: Equatable, Sendable {
    /// How many films were compared: those in both stores, and those in only one.
    private(set) var rows = 0
    private(set) var equal = 0
    /// The id of the first film that differs between the stores, or is in only one.
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
    /// Whether the bytes are the same; `==` treats texts that are canonically equivalent in Unicode as equal.
    fileprivate func isIdentical(to other: String?) -> Bool {
        other.map { utf8.elementsEqual($0.utf8) } ?? false
    }
}
