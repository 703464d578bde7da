// Initializers for up to six columns. `make` receives the values, as a struct's memberwise initializer does.
extension Schema {
    /// Declares an entity of 1 column; `make` takes its value.
    @inlinable @inline(__always)
    public convenience init<A: ColumnCodec>(
        _ a: Column<Root, A>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make: @escaping @Sendable (consuming A.Value) -> Root
    ) {
        let reader = a.reader
        self.init(a, key, unique, indexed, search, clauses) { row, position in
            make(try reader.read(row, 0, &position))
        }
    }

    /// Declares an entity of 2 columns; `make` takes their values in the same order.
    @inlinable @inline(__always)
    public convenience init<A: ColumnCodec, B: ColumnCodec>(
        _ a: Column<Root, A>, _ b: Column<Root, B>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make: @escaping @Sendable (consuming A.Value, consuming B.Value) -> Root
    ) {
        let list = a.and(b)
        let (a, b) = (a.reader, b.reader)
        self.init(list, key, unique, indexed, search, clauses) { row, position in
            make(try a.read(row, 0, &position), try b.read(row, 1, &position))
        }
    }

    /// Declares an entity of 3 columns; `make` takes their values in the same order.
    @inlinable @inline(__always)
    public convenience init<A: ColumnCodec, B: ColumnCodec, C: ColumnCodec>(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make: @escaping @Sendable (consuming A.Value, consuming B.Value, consuming C.Value) -> Root
    ) {
        let list = a.and(b).and(c)
        let (a, b, c) = (a.reader, b.reader, c.reader)
        self.init(list, key, unique, indexed, search, clauses) { row, position in
            make(try a.read(row, 0, &position), try b.read(row, 1, &position), try c.read(row, 2, &position))
        }
    }

    /// Declares an entity of 4 columns; `make` takes their values in the same order.
    @inlinable @inline(__always)
    public convenience init<A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec>(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make: @escaping @Sendable (consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value) -> Root
    ) {
        let list = a.and(b).and(c).and(d)
        let (a, b, c, d) = (a.reader, b.reader, c.reader, d.reader)
        self.init(list, key, unique, indexed, search, clauses) { row, position in
            make(
                try a.read(row, 0, &position), try b.read(row, 1, &position), try c.read(row, 2, &position),
                try d.read(row, 3, &position))
        }
    }

    /// Declares an entity of 5 columns; `make` takes their values in the same order.
    @inlinable @inline(__always)
    public convenience init<A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec>(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>, _ e: Column<Root, E>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value
            ) -> Root
    ) {
        let list = a.and(b).and(c).and(d).and(e)
        let (a, b, c, d, e) = (a.reader, b.reader, c.reader, d.reader, e.reader)
        self.init(list, key, unique, indexed, search, clauses) { row, position in
            make(
                try a.read(row, 0, &position), try b.read(row, 1, &position), try c.read(row, 2, &position),
                try d.read(row, 3, &position), try e.read(row, 4, &position))
        }
    }

    /// Declares an entity of 6 columns; `make` takes their values in the same order.
    @inlinable @inline(__always)
    public convenience init<
        A: ColumnCodec, B: ColumnCodec, C: ColumnCodec, D: ColumnCodec, E: ColumnCodec, F: ColumnCodec
    >(
        _ a: Column<Root, A>, _ b: Column<Root, B>, _ c: Column<Root, C>, _ d: Column<Root, D>, _ e: Column<Root, E>,
        _ f: Column<Root, F>,
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make:
            @escaping @Sendable (
                consuming A.Value, consuming B.Value, consuming C.Value, consuming D.Value, consuming E.Value,
                consuming F.Value
            ) -> Root
    ) {
        let list = a.and(b).and(c).and(d).and(e).and(f)
        let (a, b, c, d, e, f) = (a.reader, b.reader, c.reader, d.reader, e.reader, f.reader)
        self.init(list, key, unique, indexed, search, clauses) { row, position in
            make(
                try a.read(row, 0, &position), try b.read(row, 1, &position), try c.read(row, 2, &position),
                try d.read(row, 3, &position), try e.read(row, 4, &position), try f.read(row, 5, &position))
        }
    }

    /// Rejects more than six columns: declare them in braces, with a closure that reads them.
    @available(
        *, unavailable, message: "more than six columns are declared in braces: Schema { … } decode: { row in … }"
    )
    @_disfavoredOverload
    public convenience init<each Codec: ColumnCodec>(
        _ column: repeat Column<Root, each Codec>, key: Paths = [], unique: [Paths] = [],
        indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        make: @escaping @Sendable (repeat (each Codec).Value) -> Root
    ) {
        preconditionFailure("An unavailable initializer cannot be called.")
    }
}
