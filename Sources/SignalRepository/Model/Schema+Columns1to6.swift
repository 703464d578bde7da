// The initializers for 1 to 6 columns: identical but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 1 column; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec
    >(
        _ a: Column<Root, A>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a)
        ]
        let ra = a.reader
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    try a.encode(item, row, 1, &at)
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 2 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b),
        ]
        let (ra, rb) = (
            a.reader, b.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    _ = (
                        try a.encode(item, row, 1, &at), try b.encode(item, row, 2, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 3 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c),
        ]
        let (ra, rb, rc) = (
            a.reader, b.reader, c.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    _ = (
                        try a.encode(item, row, 1, &at), try b.encode(item, row, 2, &at),
                        try c.encode(item, row, 3, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 4 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d),
        ]
        let (ra, rb, rc, rd) = (
            a.reader, b.reader, c.reader, d.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    _ = (
                        try a.encode(item, row, 1, &at), try b.encode(item, row, 2, &at),
                        try c.encode(item, row, 3, &at), try d.encode(item, row, 4, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 5 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>, _ e: Column<Root, E>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e),
        ]
        let (ra, rb, rc, rd, re) = (
            a.reader, b.reader, c.reader, d.reader, e.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    _ = (
                        try a.encode(item, row, 1, &at), try b.encode(item, row, 2, &at),
                        try c.encode(item, row, 3, &at), try d.encode(item, row, 4, &at),
                        try e.encode(item, row, 5, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 6 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
        ]
        let (ra, rb, rc, rd, re, rf) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at), try rf.read(row, 5, &at))
                } catch {
                    throw Self.decodingError(columns, at, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    _ = (
                        try a.encode(item, row, 1, &at), try b.encode(item, row, 2, &at),
                        try c.encode(item, row, 3, &at), try d.encode(item, row, 4, &at),
                        try e.encode(item, row, 5, &at), try f.encode(item, row, 6, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }
}
