import GRDB

// Hand-written, without Codable and with columns by index, as GRDB's guide on performance recommends.
extension Wide: FetchableRecord, PersistableRecord {
    init(row: GRDB.Row) {
        self.init(
            id: row[0], count1: row[1], level1: row[2], delay1: row[3], name1: row[4], count2: row[5], level2: row[6],
            delay2: row[7], name2: row[8], count3: row[9], level3: row[10], delay3: row[11], name3: row[12],
            count4: row[13], level4: row[14], delay4: row[15], name4: row[16], count5: row[17], level5: row[18],
            delay5: row[19], name5: row[20], count6: row[21], level6: row[22], delay6: row[23], name6: row[24],
            count7: row[25], level7: row[26], count8: row[27], level8: row[28], level9: row[29])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["count1"] = count1
        container["level1"] = level1
        container["delay1"] = delay1
        container["name1"] = name1
        container["count2"] = count2
        container["level2"] = level2
        container["delay2"] = delay2
        container["name2"] = name2
        container["count3"] = count3
        container["level3"] = level3
        container["delay3"] = delay3
        container["name3"] = name3
        container["count4"] = count4
        container["level4"] = level4
        container["delay4"] = delay4
        container["name4"] = name4
        container["count5"] = count5
        container["level5"] = level5
        container["delay5"] = delay5
        container["name5"] = name5
        container["count6"] = count6
        container["level6"] = level6
        container["delay6"] = delay6
        container["name6"] = name6
        container["count7"] = count7
        container["level7"] = level7
        container["count8"] = count8
        container["level8"] = level8
        container["level9"] = level9
    }
}

extension PeerStore {
    /// Inserts the rows with one statement, in one transaction.
    func insertByStatement(_ rows: [Wide]) throws {
        try pool.write { database in
            let statement = try database.makeStatement(sql: WideTable.insert)
            for row in rows {
                try statement.execute(arguments: [
                    row.id, row.count1, row.level1, row.delay1, row.name1, row.count2, row.level2, row.delay2,
                    row.name2, row.count3, row.level3, row.delay3, row.name3, row.count4, row.level4, row.delay4,
                    row.name4, row.count5, row.level5, row.delay5, row.name5, row.count6, row.level6, row.delay6,
                    row.name6, row.count7, row.level7, row.count8, row.level8, row.level9,
                ])
            }
        }
    }

    /// Reads every row.
    func fetchAllWide() throws -> [Wide] { try pool.read { try Wide.fetchAll($0) } }
}
