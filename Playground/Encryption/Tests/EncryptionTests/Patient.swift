import Foundation
import SignalRepository
import SignalRepositoryCrypto

enum Vault {
    static let keys = ColumnKeys()
}

struct Patient: Entity, Equatable {
    let id: UUID
    var name: String
    var ssn: String?
    var balance: Decimal
    var notes: [String]

    static let schema = Schema(
        Column("id", \Patient.id), Column("name", \.name),
        Column("ssn", encrypted: \.ssn, with: Vault.keys),
        Column("balance", encrypted: \.balance, with: Vault.keys, .scale(2)),
        Column("notes", encryptedJSON: \.notes, with: Vault.keys), make: Patient.init)
}
