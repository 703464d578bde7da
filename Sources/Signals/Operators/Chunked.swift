extension Signal {
    /// Returns a signal of arrays of neighboring values that belong together.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 2, 2, 1, 5]).chunked(by: <=).sink { print($0) }  // [1, 2, 2] [1, 5]
    /// ```
    ///
    /// - Delivery: an array when a value does not belong together with the previous value, on the thread that delivers
    ///   this value. The last array follows after the finish, once it is requested. Each value that completes no array
    ///   requests one more value. The length of an array has no bound.
    /// - Failure: the upstream's, at once; buffered values are dropped and reported to `DiscardHook`.
    public func chunked(
        by belongTogether: @escaping @Sendable (Value, Value) -> Bool
    ) -> Signal<[Value], Failure> {
        grouped(size: 1, absorbed: .max(1), stage: "chunked") { chunk, value in
            if let last = chunk.last, !belongTogether(last, value) {
                defer { chunk = [value] }
                return chunk
            }
            chunk.append(value)
            return nil
        }
    }

    /// Returns a signal of arrays of neighboring values with equal keys, each array with its key.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["ab", "ac", "b", "a"])
    /// let token = words.chunked(on: \.first).sink { print($0.values) }  // ["ab", "ac"] ["b"] ["a"]
    /// ```
    ///
    /// - Delivery: the same as for `chunked(by:)`; `project` is called once for each value.
    /// - Failure: the upstream's, at once; buffered values are dropped and reported to `DiscardHook`.
    public func chunked<Key: Equatable & Sendable>(
        on project: @escaping @Sendable (Value) -> Key
    ) -> Signal<(key: Key, values: [Value]), Failure> {
        map { (key: project($0), value: $0) }.chunked(by: { $0.key == $1.key })
            .compactMap { chunk in chunk.first.map { (key: $0.key, values: chunk.map(\.value)) } }
    }
}
