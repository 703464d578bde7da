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
        var list: [AnyColumn<Root>] = []
        repeat list.append(AnyColumn(each column))
        let columns = list
        self.init(
            columns: columns, uniqueSets: unique, indexedSets: indexed,
            decode: { row throws(RepositoryError) in
                var (index, place): (Int32, Int32) = (-1, 0)
                func next() -> Int32 {
                    index += 1
                    return index
                }
                do {
                    return make(repeat try (each column).reader.read(row, next(), &place))
                } catch {
                    throw Self.decodingError(columns, place, error)
                }
            },
            encode: { item, row throws(RepositoryError) in
                var (index, place): (Int32, Int32) = (0, 0)
                func next() -> Int32 {
                    index += 1
                    return index
                }
                do {
                    repeat try (each column).encode(item, row, next(), &place)
                } catch {
                    throw Self.encodingError(columns, place, error)
                }
            })
    }
}
