// The initializers for 8 to 12 columns: alike but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 8 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7))
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
            })
    }

    /// Declares an entity of 9 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8))
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
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value, J.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9))
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
            })
    }

    /// Declares an entity of 11 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10))
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
            })
    }

    /// Declares an entity of 12 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec, H: ColumnCodec, I: ColumnCodec, J: ColumnCodec, K: ColumnCodec, L: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>, _ h: Column<Root, H>,
        _ i: Column<Root, I>, _ j: Column<Root, J>, _ k: Column<Root, K>, _ l: Column<Root, L>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value,
            J.Value, K.Value, L.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g), AnyColumn(h), AnyColumn(i), AnyColumn(j), AnyColumn(k), AnyColumn(l)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6), try h.decode(row, 7),
                    try i.decode(row, 8), try j.decode(row, 9), try k.decode(row, 10), try l.decode(row, 11))
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
            })
    }
}
