import SignalRepository
import Testing

@Suite("The table that an entity declares") struct TableShapeTests {
    @Test(
        "A name that is invalid or reserved is refused",
        arguments: [
            (Named<Empty>.self, "is empty"), (Named<Nul>.self, "contains NUL"),
            (Named<Kept>.self, "begins with signal_repository_, which is reserved"),
            (Named<Reserved>.self, "which is reserved for SQLite"),
        ] as [(any Entity.Type, String)])
    func names(entity: any Entity.Type, reason: String) throws {
        for kind in StoreKind.allCases {
            let error = try StorePlace(kind).refusal([entity])
            #expect(error.isMisuse && "\(error)".contains("the name of an entity") && "\(error)".contains(reason))
        }
    }
}

private protocol EntityName: Sendable {
    static var text: String { get }
}

private enum Empty: EntityName { static let text = "" }
private enum Nul: EntityName { static let text = "a\0b" }
private enum Kept: EntityName { static let text = "signal_repository_a" }
private enum Reserved: EntityName { static let text = "SQLite_a" }

private struct Named<Name: EntityName>: Entity {
    let id: Int
    static var entityName: String { Name.text }
    static var schema: Schema<Self> { Schema(Column("id", \Named<Name>.id), make: Named.init) }
}
