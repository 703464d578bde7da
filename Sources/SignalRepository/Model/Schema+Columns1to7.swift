// The initializers for 1 to 7 columns: alike but for their number, because the optimizer does not see through
// parameter packs.
extension Schema {
    /// Declares an entity of 1 column; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec
    >(
        _ a: Column<Root, A>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
            })
    }

    /// Declares an entity of 2 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
            })
    }

    /// Declares an entity of 3 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
            })
    }

    /// Declares an entity of 4 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
            })
    }

    /// Declares an entity of 5 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
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
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
            })
    }

    /// Declares an entity of 7 columns; `make` takes their values in the same order.
    @inlinable
    public init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec,
        G: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        _ e: Column<Root, E>, _ f: Column<Root, F>, _ g: Column<Root, G>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value) -> Root
    ) {
        self.init(
            columns: [AnyColumn(a), AnyColumn(b), AnyColumn(c), AnyColumn(d), AnyColumn(e), AnyColumn(f),
                AnyColumn(g)],
            uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                make(
                    try a.decode(row, 0), try b.decode(row, 1), try c.decode(row, 2), try d.decode(row, 3),
                    try e.decode(row, 4), try f.decode(row, 5), try g.decode(row, 6))
            },
            encode: { item, row throws(RepositoryError) in
                try a.encode(item, row, 1)
                try b.encode(item, row, 2)
                try c.encode(item, row, 3)
                try d.encode(item, row, 4)
                try e.encode(item, row, 5)
                try f.encode(item, row, 6)
                try g.encode(item, row, 7)
            })
    }
}
