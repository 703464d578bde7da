import SignalRepository

/// An entity of 30 columns: integers, real numbers, optional integers and texts.
struct Wide: Entity, Equatable {
    let id: Int64
    var count1: Int64
    var level1: Double
    var delay1: Int64?
    var name1: String
    var count2: Int64
    var level2: Double
    var delay2: Int64?
    var name2: String
    var count3: Int64
    var level3: Double
    var delay3: Int64?
    var name3: String
    var count4: Int64
    var level4: Double
    var delay4: Int64?
    var name4: String
    var count5: Int64
    var level5: Double
    var delay5: Int64?
    var name5: String
    var count6: Int64
    var level6: Double
    var delay6: Int64?
    var name6: String
    var count7: Int64
    var level7: Double
    var count8: Int64
    var level8: Double
    var level9: Double

    static let schema = Schema<Wide> {
        Column("id", \.id)
        Column("count1", \.count1)
        Column("level1", \.level1)
        Column("delay1", \.delay1)
        Column("name1", \.name1)
        Column("count2", \.count2)
        Column("level2", \.level2)
        Column("delay2", \.delay2)
        Column("name2", \.name2)
        Column("count3", \.count3)
        Column("level3", \.level3)
        Column("delay3", \.delay3)
        Column("name3", \.name3)
        Column("count4", \.count4)
        Column("level4", \.level4)
        Column("delay4", \.delay4)
        Column("name4", \.name4)
        Column("count5", \.count5)
        Column("level5", \.level5)
        Column("delay5", \.delay5)
        Column("name5", \.name5)
        Column("count6", \.count6)
        Column("level6", \.level6)
        Column("delay6", \.delay6)
        Column("name6", \.name6)
        Column("count7", \.count7)
        Column("level7", \.level7)
        Column("count8", \.count8)
        Column("level8", \.level8)
        Column("level9", \.level9)
    } decode: { row in
        try Wide(
            id: row.next(), count1: row.next(), level1: row.next(), delay1: row.next(), name1: row.next(),
            count2: row.next(), level2: row.next(), delay2: row.next(), name2: row.next(), count3: row.next(),
            level3: row.next(), delay3: row.next(), name3: row.next(), count4: row.next(), level4: row.next(),
            delay4: row.next(), name4: row.next(), count5: row.next(), level5: row.next(), delay5: row.next(),
            name5: row.next(), count6: row.next(), level6: row.next(), delay6: row.next(), name6: row.next(),
            count7: row.next(), level7: row.next(), count8: row.next(), level8: row.next(), level9: row.next())
    }
}
