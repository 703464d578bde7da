extension Schema {
    /// Declares an entity of any number of columns; `make` takes their values in the same order.
    ///
    /// Rows are read and written more slowly than with the initializers for up to 16 columns.
    @_disfavoredOverload
    public init<each Codec: ColumnCodec>(
        _ column: repeat Column<Root, each Codec>,
        unique: [Paths] = [], indexed: [Paths] = [],
        make: @escaping @Sendable (repeat (each Codec).Value) -> Root
    ) {
        var columns: [AnyColumn<Root>] = []
        repeat columns.append(AnyColumn(each column))
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var index: Int32 = -1
                func next() -> Int32 {
                    index += 1
                    return index
                }
                return make(repeat try (each column).decode(row, next()))
            },
            encode: { item, row throws(RepositoryError) in
                var index: Int32 = 0
                func next() -> Int32 {
                    index += 1
                    return index
                }
                repeat try (each column).encode(item, row, next())
            })
    }
}
