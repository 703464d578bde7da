// Distances of vectors.

extension Term where Value == Vector {
    /// Returns the distance to a vector; a smaller distance is nearer.
    ///
    /// ``Vector`` has an example. A query computes the distance of every row that meets its other conditions, because
    /// there is no index of vectors.
    /// - Failure: `.misuse` if the vector has another number of components than the column, and always on a PostgreSQL
    ///   server; `.encoding` if a component is not finite; `.decoding` for stored bytes that are not such a vector.
    public func distance(to vector: Vector, _ metric: VectorMetric) -> Term<Root, Double> { measured(vector, metric) }
}

extension Term where Value == Vector? {
    /// Returns the distance to a vector, and `nil` for `nil`; a smaller distance is nearer, and `nil` comes first.
    ///
    /// - Failure: `.misuse` if the vector has another number of components than the column, and always on a PostgreSQL
    ///   server; `.encoding` if a component is not finite; `.decoding` for stored bytes that are not such a vector.
    public func distance(to vector: Vector, _ metric: VectorMetric) -> Term<Root, Double?> { measured(vector, metric) }
}

extension Term {
    fileprivate func measured<Output>(_ vector: Vector, _ metric: VectorMetric) -> Term<Root, Output> {
        Term<Root, Output> { () throws(RepositoryError) in
            let value = try value()
            let (count, name) = (vector.elements.count, value.column?.name ?? "the expression")
            guard value.scale == 0 || value.scale == count else {
                throw .misuse(
                    detail: "a vector of \(count.counted("component")) has no distance from \(name), which holds "
                        + "vectors of \(value.scale)")
            }
            do {
                _ = try vector.sqlValue(scale: 0)
            } catch {
                throw .encoding(error, entity: "expression", column: "constant")
            }
            return try TermValue(
                .operation(.distance(metric), [value.term, .constant(.blob(metric.target(vector.elements)))]),
                of: [value], isOptional: value.isOptional, .real)
        }
    }
}
