extension Form {
    /// A form that works on its own file, which `fill` makes before the measurement; `check` returns its checksum.
    static func file<Store, Output>(
        _ name: String, _ fill: @escaping (String) throws -> Void, _ open: @escaping (String) throws -> Store,
        work: @escaping (Store) throws -> Output, check: @escaping (String, Output) throws -> Int
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try fill(path)
                let store = try open(path)
                return try check(path, meter.time { try work(store) })
            }
        }
    }
}
