// The initializers for 14 to 16 columns: identical but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 14 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec, L: ColumnCodec,
        M: ColumnCodec, N: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>, _ l: Column<Root, L>,
        _ m: Column<Root, M>, _ n: Column<Root, N>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value, consuming I.Value, consuming J.Value,
                consuming K.Value, consuming L.Value, consuming M.Value, consuming N.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l), AnyColumn(m), AnyColumn(n),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh, ri, rj, rk, rl, rm, rn) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader, i.reader, j.reader,
            k.reader, l.reader, m.reader, n.reader
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
                        try rj.read(row, 9, &at), try rk.read(row, 10, &at), try rl.read(row, 11, &at),
                        try rm.read(row, 12, &at), try rn.read(row, 13, &at))
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
                        try i.encode(item, row, 9, &at), try j.encode(item, row, 10, &at),
                        try k.encode(item, row, 11, &at), try l.encode(item, row, 12, &at),
                        try m.encode(item, row, 13, &at), try n.encode(item, row, 14, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 15 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec, L: ColumnCodec,
        M: ColumnCodec, N: ColumnCodec, O: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>, _ l: Column<Root, L>,
        _ m: Column<Root, M>, _ n: Column<Root, N>, _ o: Column<Root, O>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value, consuming I.Value, consuming J.Value,
                consuming K.Value, consuming L.Value, consuming M.Value, consuming N.Value, consuming O.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l), AnyColumn(m), AnyColumn(n),
            AnyColumn(o),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh, ri, rj, rk, rl, rm, rn, ro) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader, i.reader, j.reader,
            k.reader, l.reader, m.reader, n.reader, o.reader
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
                        try rj.read(row, 9, &at), try rk.read(row, 10, &at), try rl.read(row, 11, &at),
                        try rm.read(row, 12, &at), try rn.read(row, 13, &at), try ro.read(row, 14, &at))
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
                        try i.encode(item, row, 9, &at), try j.encode(item, row, 10, &at),
                        try k.encode(item, row, 11, &at), try l.encode(item, row, 12, &at),
                        try m.encode(item, row, 13, &at), try n.encode(item, row, 14, &at),
                        try o.encode(item, row, 15, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }

    /// Declares an entity of 16 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec, L: ColumnCodec,
        M: ColumnCodec, N: ColumnCodec, O: ColumnCodec, P: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>, _ l: Column<Root, L>,
        _ m: Column<Root, M>, _ n: Column<Root, N>, _ o: Column<Root, O>, _ p: Column<Root, P>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value, consuming G.Value, consuming H.Value, consuming I.Value, consuming J.Value,
                consuming K.Value, consuming L.Value, consuming M.Value, consuming N.Value, consuming O.Value,
                consuming P.Value
            ) -> Root
    ) {
        let columns: [AnyColumn<Root>] = [
            AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f), AnyColumn(g),
            AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l), AnyColumn(m), AnyColumn(n),
            AnyColumn(o), AnyColumn(p),
        ]
        let (ra, rb, rc, rd, re, rf, rg, rh, ri, rj, rk, rl, rm, rn, ro, rp) = (
            a.reader, b.reader, c.reader, d.reader, e.reader, f.reader, g.reader, h.reader, i.reader, j.reader,
            k.reader, l.reader, m.reader, n.reader, o.reader, p.reader
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
                        try rj.read(row, 9, &at), try rk.read(row, 10, &at), try rl.read(row, 11, &at),
                        try rm.read(row, 12, &at), try rn.read(row, 13, &at), try ro.read(row, 14, &at),
                        try rp.read(row, 15, &at))
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
                        try i.encode(item, row, 9, &at), try j.encode(item, row, 10, &at),
                        try k.encode(item, row, 11, &at), try l.encode(item, row, 12, &at),
                        try m.encode(item, row, 13, &at), try n.encode(item, row, 14, &at),
                        try o.encode(item, row, 15, &at), try p.encode(item, row, 16, &at)
                    )
                } catch {
                    throw Self.encodingError(columns, at, error)
                }
            })
    }
}
