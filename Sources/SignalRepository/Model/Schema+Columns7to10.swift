// The initializers for 7 to 10 columns: identical but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 7 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
        ]
        let (ra, rb, rc, rd, re, rf, rg) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at), try rf.read(row, 5, &at),
                        try rg.read(row, 6, &at))
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
                        try e.encode(item, row, 5, &at), try f.encode(item, row, 6, &at),
                        try g.encode(item, row, 7, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 8 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at), try rf.read(row, 5, &at),
                        try rg.read(row, 6, &at), try rh.read(row, 7, &at))
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
                        try e.encode(item, row, 5, &at), try f.encode(item, row, 6, &at),
                        try g.encode(item, row, 7, &at), try h.encode(item, row, 8, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 9 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>, _ i: Column<Root, I>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value, consuming I.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h), AnyColumn(i),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh, ri) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader, i.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at), try rf.read(row, 5, &at),
                        try rg.read(row, 6, &at), try rh.read(row, 7, &at), try ri.read(row, 8, &at))
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
                        try e.encode(item, row, 5, &at), try f.encode(item, row, 6, &at),
                        try g.encode(item, row, 7, &at), try h.encode(item, row, 8, &at),
                        try i.encode(item, row, 9, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 10 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value, consuming I.Value, consuming J.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h), AnyColumn(i), AnyColumn(j),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh, ri, rj) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader, i.reader, j.reader
        )
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var at: Int32 = 0
                do {
                    return make(
                        try ra.read(row, 0, &at), try rb.read(row, 1, &at), try rc.read(row, 2, &at),
                        try rd.read(row, 3, &at), try re.read(row, 4, &at), try rf.read(row, 5, &at),
                        try rg.read(row, 6, &at), try rh.read(row, 7, &at), try ri.read(row, 8, &at),
                        try rj.read(row, 9, &at))
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
                        try e.encode(item, row, 5, &at), try f.encode(item, row, 6, &at),
                        try g.encode(item, row, 7, &at), try h.encode(item, row, 8, &at),
                        try i.encode(item, row, 9, &at), try j.encode(item, row, 10, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }
}
