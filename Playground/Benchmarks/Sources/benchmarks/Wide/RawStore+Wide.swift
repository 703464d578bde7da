import CSQLite

extension RawStore {
    /// Inserts the rows with one statement, in one transaction.
    func insert(_ rows: [Wide]) throws {
        try write(WideTable.insert, rows) { bind($0, to: $1) }
    }

    /// Reads every row.
    func fetchAllWide() throws -> [Wide] { try read(WideTable.selectAll) { wide($0) } }

    private func bind(_ row: Wide, to statement: OpaquePointer) {
        sqlite3_bind_int64(statement, 1, row.id)
        sqlite3_bind_int64(statement, 2, row.count1)
        sqlite3_bind_double(statement, 3, row.level1)
        bind(row.delay1, to: statement, at: 4)
        bind(row.name1, to: statement, at: 5)
        sqlite3_bind_int64(statement, 6, row.count2)
        sqlite3_bind_double(statement, 7, row.level2)
        bind(row.delay2, to: statement, at: 8)
        bind(row.name2, to: statement, at: 9)
        sqlite3_bind_int64(statement, 10, row.count3)
        sqlite3_bind_double(statement, 11, row.level3)
        bind(row.delay3, to: statement, at: 12)
        bind(row.name3, to: statement, at: 13)
        sqlite3_bind_int64(statement, 14, row.count4)
        sqlite3_bind_double(statement, 15, row.level4)
        bind(row.delay4, to: statement, at: 16)
        bind(row.name4, to: statement, at: 17)
        sqlite3_bind_int64(statement, 18, row.count5)
        sqlite3_bind_double(statement, 19, row.level5)
        bind(row.delay5, to: statement, at: 20)
        bind(row.name5, to: statement, at: 21)
        sqlite3_bind_int64(statement, 22, row.count6)
        sqlite3_bind_double(statement, 23, row.level6)
        bind(row.delay6, to: statement, at: 24)
        bind(row.name6, to: statement, at: 25)
        sqlite3_bind_int64(statement, 26, row.count7)
        sqlite3_bind_double(statement, 27, row.level7)
        sqlite3_bind_int64(statement, 28, row.count8)
        sqlite3_bind_double(statement, 29, row.level8)
        sqlite3_bind_double(statement, 30, row.level9)
    }

    private func wide(_ statement: OpaquePointer) -> Wide {
        Wide(
            id: sqlite3_column_int64(statement, 0), count1: sqlite3_column_int64(statement, 1),
            level1: sqlite3_column_double(statement, 2), delay1: number(statement, 3),
            name1: text(statement, 4) ?? "", count2: sqlite3_column_int64(statement, 5),
            level2: sqlite3_column_double(statement, 6), delay2: number(statement, 7),
            name2: text(statement, 8) ?? "", count3: sqlite3_column_int64(statement, 9),
            level3: sqlite3_column_double(statement, 10), delay3: number(statement, 11),
            name3: text(statement, 12) ?? "", count4: sqlite3_column_int64(statement, 13),
            level4: sqlite3_column_double(statement, 14), delay4: number(statement, 15),
            name4: text(statement, 16) ?? "", count5: sqlite3_column_int64(statement, 17),
            level5: sqlite3_column_double(statement, 18), delay5: number(statement, 19),
            name5: text(statement, 20) ?? "", count6: sqlite3_column_int64(statement, 21),
            level6: sqlite3_column_double(statement, 22), delay6: number(statement, 23),
            name6: text(statement, 24) ?? "", count7: sqlite3_column_int64(statement, 25),
            level7: sqlite3_column_double(statement, 26), count8: sqlite3_column_int64(statement, 27),
            level8: sqlite3_column_double(statement, 28), level9: sqlite3_column_double(statement, 29))
    }
}
