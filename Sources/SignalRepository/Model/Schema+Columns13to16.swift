// The initializers for 13 to 16 columns: alike but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 13 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec, L: ColumnCodec,
        M: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>, _ l: Column<Root, L>,
        _ m: Column<Root, M>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value, L.Value, M.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l),
                AnyColumn(m)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10), try l.decode(row, 11),
                    try m.decode(row, 12))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
                try g.encode(item, row, 7)
                try h.encode(item, row, 8)
                try i.encode(item, row, 9)
                try j.encode(item, row, 10)
                try k.encode(item, row, 11)
                try l.encode(item, row, 12)
                try m.encode(item, row, 13)
            })
    }

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
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value, L.Value, M.Value, N.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l),
                AnyColumn(m), AnyColumn(n)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10), try l.decode(row, 11),
                    try m.decode(row, 12), try n.decode(row, 13))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
                try g.encode(item, row, 7)
                try h.encode(item, row, 8)
                try i.encode(item, row, 9)
                try j.encode(item, row, 10)
                try k.encode(item, row, 11)
                try l.encode(item, row, 12)
                try m.encode(item, row, 13)
                try n.encode(item, row, 14)
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
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value, L.Value, M.Value, N.Value, O.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l),
                AnyColumn(m), AnyColumn(n), AnyColumn(o)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10), try l.decode(row, 11),
                    try m.decode(row, 12), try n.decode(row, 13), try o.decode(row, 14))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
                try g.encode(item, row, 7)
                try h.encode(item, row, 8)
                try i.encode(item, row, 9)
                try j.encode(item, row, 10)
                try k.encode(item, row, 11)
                try l.encode(item, row, 12)
                try m.encode(item, row, 13)
                try n.encode(item, row, 14)
                try o.encode(item, row, 15)
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
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value, L.Value, M.Value, N.Value, O.Value, P.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l),
                AnyColumn(m), AnyColumn(n), AnyColumn(o), AnyColumn(p)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10), try l.decode(row, 11),
                    try m.decode(row, 12), try n.decode(row, 13), try o.decode(row, 14), try p.decode(row, 15))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
                try g.encode(item, row, 7)
                try h.encode(item, row, 8)
                try i.encode(item, row, 9)
                try j.encode(item, row, 10)
                try k.encode(item, row, 11)
                try l.encode(item, row, 12)
                try m.encode(item, row, 13)
                try n.encode(item, row, 14)
                try o.encode(item, row, 15)
                try p.encode(item, row, 16)
            })
    }
}
