import SignalRepository
import SignalRepositoryCrypto

func open(_ path: String, with bytes: [UInt8]) throws -> SQLiteRepository {
    Vault.keys.use(try ColumnKey(bytes))
    return try SQLiteRepository(.file(path), entities: Patient.self)
}

func turn(_ repository: any Repository, to key: ColumnKey, from old: ColumnKey) async throws {
    Vault.keys.use(key, old)
    try await repository.transaction { store in
        for patient in try store.fetch(Patient.all) { try store.update(patient) }
    }.value()
    Vault.keys.use(key)
}
