/// A program's declaration of a store: the tables of its entities, its migrations, and the columns to drop.
package struct StoreDeclaration {
    package let tables: [TableShape]
    private let ledger: MigrationLedger
    private let dropping: Set<DroppedColumn>
    /// The `whenNew:` closure, which a new store runs.
    private let initialMigration: Migration?

    package init(
        _ entities: [any Entity.Type], _ migrations: [Migration], dropping: [DroppedColumn],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)?, in types: any ColumnTypes
    ) throws(RepositoryError) {
        let tables = try TableShape.tables(of: entities, in: types)
        self.tables = tables
        self.dropping = Set(dropping)
        initialMigration = whenNew.map { Migration("whenNew", $0) }
        for column in dropping {
            let table = tables.first { $0.name == column.entity }
            guard table?.columns.contains(where: { $0.name == column.name }) != true else {
                throw .misuse(detail: "\(column.entity).\(column.name) is declared, but listed in dropping:")
            }
        }
        ledger = try MigrationLedger(migrations)
    }

    /// The tables whose shapes are needed: the declared tables, and the tables that they refer to.
    private var names: [String] {
        let names = tables.map(\.name)
        let targets = tables.flatMap { table in
            table.columns.compactMap { $0.reference?.table } + table.references.map(\.reference.table)
        }
        return names + Set(targets).subtracting(names).sorted()
    }
}

package struct StoreWork {
    package let isNew: Bool
    /// The word for the store in messages, such as "file".
    fileprivate let noun: String
    /// The migrations that the store has not recorded.
    fileprivate let migrations: [Migration]
    /// The inferred steps; `nil` if migrations must change the tables first.
    fileprivate let plan: SchemaPlan?

    package var isEmpty: Bool { !isNew && migrations.isEmpty && plan?.steps.isEmpty != false }

    /// Whether migrations will run.
    ///
    /// Foreign keys are not enforced while migrations run.
    package var hasSteps: Bool { plan == nil }
}

extension StoreDeclaration {
    /// Determines the migrations and steps that opening a store requires, or throws if it cannot be opened.
    package func work(_ store: any StoreTables) throws(RepositoryError) -> StoreWork {
        let stored = try store.stored(names)
        try stored.check()
        let seen = stored.table(named: InternalTables.migrations) == nil ? [] : try migrations(of: store)
        let pending = try ledger.pending(after: seen)
        let plan = pending.isEmpty || stored.isNew ? try SchemaPlan(declared: tables, stored: stored) : nil
        return StoreWork(isNew: stored.isNew, noun: stored.noun, migrations: pending, plan: plan)
    }

    /// Throws if the store must be changed before it can be read, because a read-only repository cannot change it.
    package func checkReadable(_ store: any StoreTables) throws(RepositoryError) {
        let work = try work(store)
        if let migration = work.migrations.first {
            throw .schemaMismatch(
                detail: "the migration \"\(migration.name)\" was not run; open the \(work.noun) for writing once to "
                    + "run it")
        }
        try work.plan?.checkReadable()
    }

    /// Throws if opening the store would delete the values of a column that is not listed in `dropping:`.
    package func checkDropped(_ work: StoreWork, _ store: any StoreTables) throws(RepositoryError) {
        if let plan = work.plan { try checkDropped(plan, store) }
    }

    private func checkDropped(_ plan: SchemaPlan, _ store: any StoreTables) throws(RepositoryError) {
        for step in plan.steps {
            guard let column = step.dropped, !dropping.contains(column) else { continue }
            let count = try values(of: column, store)
            guard count == 0 else {
                throw .schemaMismatch(
                    detail: "\(column.entity).\(column.name) is no longer declared and holds "
                        + "\(count.counted("value")): to keep its values under another name, register "
                        + "Migration(\"…\") { store in \(step.rename ?? "…") }; to delete it, open the store with "
                        + "dropping: [.column(\"\(column.name)\", of: \(column.entity).self)]")
            }
        }
    }

    /// Runs the migrations and steps in the open transaction, which keeps other connections from changing the tables.
    package func perform(on store: any StoreTables) throws(RepositoryError) {
        // The work is determined again, because another connection may have changed the store before the transaction
        // began.
        let work = try work(store)
        if work.isNew {
            try store.found()
        } else {
            for migration in work.migrations { try run(migration, on: store) }
        }
        try store.stepsEnded()
        // All other changes are inferred from the tables as the migrations left them.
        let plan =
            if let plan = work.plan { plan } else {
                try SchemaPlan(declared: tables, stored: try store.stored(names))
            }
        try checkDropped(plan, store)
        for step in plan.steps { try run(step, on: store) }
        try record(work.migrations, on: store)
        try store.tablesMade()
        if work.isNew { try initialMigration?.run(on: store) }
    }

    /// Runs a migration.
    ///
    /// If the migration fails because the store lacks a declared column, the error names the remedy.
    private func run(_ migration: Migration, on store: any StoreTables) throws(RepositoryError) {
        let stored = try store.stored(names)
        do {
            try migration.run(on: store)
        } catch .migrationFailed(let step, let cause) {
            guard case .misuse(let detail)? = cause.error as? RepositoryError,
                let name = lacking(in: stored, named: detail)
            else { throw .migrationFailed(step: step, by: cause) }
            let remedy =
                "\(name) is added after the steps, so a store that skips a version lacks it here: begin the step with "
                + "try store.addColumn(\\\(name), value: …), which does nothing if the column exists"
            throw .migrationFailed(step: step, by: ThrownError(RepositoryError.misuse(detail: "\(detail). \(remedy)")))
        }
    }

    /// Returns a column that a message names, if the column is declared but not in the store.
    private func lacking(in stored: any StoredShape, named message: String) -> String? {
        let words = Set(message.split { !($0.isLetter || $0.isNumber || $0 == "_") })
        for table in tables {
            guard let columns = stored.table(named: table.name)?.shape?.columns else { continue }
            let column = table.columns.first { column in
                words.contains(Substring(column.name)) && !columns.contains { $0.name == column.name }
            }
            if let column { return "\(table.name).\(column.name)" }
        }
        return nil
    }

    private func run(_ step: SchemaPlan.Step, on store: any StoreTables) throws(RepositoryError) {
        do {
            try store.perform(step.change)
        } catch {
            switch error {
            case .constraint, .misuse:
                throw .schemaMismatch(detail: "\(step.subject) cannot be migrated: \(error.clause)")
            default: throw error
            }
        }
    }
}

// Reads and records migrations, and counts values, with statements that every engine understands.
extension StoreDeclaration {
    private func migrations(of store: any StoreTables) throws(RepositoryError) -> [String] {
        let statement = try statement(store.connection.dialect.migrations, store)
        return try statement.all { row throws(RepositoryError) in
            if case .text(let name) = try row.value(at: 0) { name } else { "" }
        }
    }

    private func record(_ migrations: [Migration], on store: any StoreTables) throws(RepositoryError) {
        guard !migrations.isEmpty else { return }
        try store.createMigrations()
        for migration in migrations {
            try statement(store.connection.dialect.recordMigration(migration.name), store).run()
        }
    }

    private func values(of column: DroppedColumn, _ store: any StoreTables) throws(RepositoryError) -> Int64 {
        let sql = store.connection.dialect.values(of: column.name, in: column.entity)
        let count = try statement(sql, store).first { row throws(RepositoryError) in try row.value(at: 0) }
        if case .integer(let count)? = count { return count }
        return 0
    }

    /// Returns a built-in statement, ready to be executed.
    private func statement(_ sql: SQLText, _ store: any StoreTables) throws(RepositoryError) -> any StoreStatement {
        let statement = try store.connection.prepared(sql)
        try statement.bind(sql.bindings)
        return statement
    }
}
