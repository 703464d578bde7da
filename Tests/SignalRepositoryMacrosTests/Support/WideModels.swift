#if Macros
    import Foundation
    import SignalRepository
    import SignalRepositoryMacros

    // Models of 5, 17 and 30 columns, written with the macro and by hand.

    enum ByMacro {
        @Entity
        struct Five: Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool
        }

        @Entity
        struct Seventeen: Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool
            var p05: String?
            var p06: Date
            var p07: Int?
            var p08: UUID
            var p09: Data
            var p10: Double?
            var p11: Int
            var p12: String
            var p13: Double
            var p14: Bool
            var p15: String?
            var p16: Date
        }

        @Entity
        struct Thirty: Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool
            var p05: String?
            var p06: Date
            var p07: Int?
            var p08: UUID
            var p09: Data
            var p10: Double?
            var p11: Int
            var p12: String
            var p13: Double
            var p14: Bool
            var p15: String?
            var p16: Date
            var p17: Int?
            var p18: UUID
            var p19: Data
            var p20: Double?
            var p21: Int
            var p22: String
            var p23: Double
            var p24: Bool
            var p25: String?
            var p26: Date
            var p27: Int?
            var p28: UUID
            var p29: Data
        }
    }

    enum ByHand {
        struct Five: Entity, Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool

            static let schema = Schema<Five> {
                Column("id", \.id)
                Column("p01", \.p01)
                Column("p02", \.p02)
                Column("p03", \.p03)
                Column("p04", \.p04)
            } decode: { row in
                try Five(
                    id: row.next(), p01: row.next(), p02: row.next(), p03: row.next(), p04: row.next())
            }
        }

        struct Seventeen: Entity, Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool
            var p05: String?
            var p06: Date
            var p07: Int?
            var p08: UUID
            var p09: Data
            var p10: Double?
            var p11: Int
            var p12: String
            var p13: Double
            var p14: Bool
            var p15: String?
            var p16: Date

            static let schema = Schema<Seventeen> {
                Column("id", \.id)
                Column("p01", \.p01)
                Column("p02", \.p02)
                Column("p03", \.p03)
                Column("p04", \.p04)
                Column("p05", \.p05)
                Column("p06", \.p06)
                Column("p07", \.p07)
                Column("p08", \.p08)
                Column("p09", \.p09)
                Column("p10", \.p10)
                Column("p11", \.p11)
                Column("p12", \.p12)
                Column("p13", \.p13)
                Column("p14", \.p14)
                Column("p15", \.p15)
                Column("p16", \.p16)
            } decode: { row in
                try Seventeen(
                    id: row.next(), p01: row.next(), p02: row.next(), p03: row.next(), p04: row.next(),
                    p05: row.next(), p06: row.next(), p07: row.next(), p08: row.next(), p09: row.next(),
                    p10: row.next(), p11: row.next(), p12: row.next(), p13: row.next(), p14: row.next(),
                    p15: row.next(), p16: row.next())
            }
        }

        struct Thirty: Entity, Equatable {
            let id: Int
            var p01: Int
            var p02: String
            var p03: Double
            var p04: Bool
            var p05: String?
            var p06: Date
            var p07: Int?
            var p08: UUID
            var p09: Data
            var p10: Double?
            var p11: Int
            var p12: String
            var p13: Double
            var p14: Bool
            var p15: String?
            var p16: Date
            var p17: Int?
            var p18: UUID
            var p19: Data
            var p20: Double?
            var p21: Int
            var p22: String
            var p23: Double
            var p24: Bool
            var p25: String?
            var p26: Date
            var p27: Int?
            var p28: UUID
            var p29: Data

            static let schema = Schema<Thirty> {
                Column("id", \.id)
                Column("p01", \.p01)
                Column("p02", \.p02)
                Column("p03", \.p03)
                Column("p04", \.p04)
                Column("p05", \.p05)
                Column("p06", \.p06)
                Column("p07", \.p07)
                Column("p08", \.p08)
                Column("p09", \.p09)
                Column("p10", \.p10)
                Column("p11", \.p11)
                Column("p12", \.p12)
                Column("p13", \.p13)
                Column("p14", \.p14)
                Column("p15", \.p15)
                Column("p16", \.p16)
                Column("p17", \.p17)
                Column("p18", \.p18)
                Column("p19", \.p19)
                Column("p20", \.p20)
                Column("p21", \.p21)
                Column("p22", \.p22)
                Column("p23", \.p23)
                Column("p24", \.p24)
                Column("p25", \.p25)
                Column("p26", \.p26)
                Column("p27", \.p27)
                Column("p28", \.p28)
                Column("p29", \.p29)
            } decode: { row in
                try Thirty(
                    id: row.next(), p01: row.next(), p02: row.next(), p03: row.next(), p04: row.next(),
                    p05: row.next(), p06: row.next(), p07: row.next(), p08: row.next(), p09: row.next(),
                    p10: row.next(), p11: row.next(), p12: row.next(), p13: row.next(), p14: row.next(),
                    p15: row.next(), p16: row.next(), p17: row.next(), p18: row.next(), p19: row.next(),
                    p20: row.next(), p21: row.next(), p22: row.next(), p23: row.next(), p24: row.next(),
                    p25: row.next(), p26: row.next(), p27: row.next(), p28: row.next(), p29: row.next())
            }
        }
    }

    extension ByMacro.Five {
        static let some = [
            ByMacro.Five(
                id: 1, p01: 4, p02: "text 2", p03: 3.25, p04: false),
            ByMacro.Five(
                id: 2, p01: 4, p02: "text 2", p03: 3.25, p04: true),
        ]
    }

    extension ByMacro.Seventeen {
        static let some = [
            ByMacro.Seventeen(
                id: 1, p01: 4, p02: "text 2", p03: 3.25, p04: false, p05: "maybe 5",
                p06: Date(timeIntervalSinceReferenceDate: 6.5), p07: 7, p08: UUID(), p09: Data([9, 2, 3]), p10: nil,
                p11: 74, p12: "text 12", p13: 13.25, p14: false, p15: "maybe 15",
                p16: Date(timeIntervalSinceReferenceDate: 16.5)),
            ByMacro.Seventeen(
                id: 2, p01: 4, p02: "text 2", p03: 3.25, p04: true, p05: nil,
                p06: Date(timeIntervalSinceReferenceDate: 6.5), p07: nil, p08: UUID(), p09: Data([9, 2, 3]),
                p10: 10.5, p11: 74, p12: "text 12", p13: 13.25, p14: true, p15: nil,
                p16: Date(timeIntervalSinceReferenceDate: 16.5)),
        ]
    }

    extension ByMacro.Thirty {
        static let some = [
            ByMacro.Thirty(
                id: 1, p01: 4, p02: "text 2", p03: 3.25, p04: false, p05: "maybe 5",
                p06: Date(timeIntervalSinceReferenceDate: 6.5), p07: 7, p08: UUID(), p09: Data([9, 2, 3]), p10: nil,
                p11: 74, p12: "text 12", p13: 13.25, p14: false, p15: "maybe 15",
                p16: Date(timeIntervalSinceReferenceDate: 16.5), p17: 17, p18: UUID(), p19: Data([19, 2, 3]),
                p20: nil, p21: 144, p22: "text 22", p23: 23.25, p24: false, p25: "maybe 25",
                p26: Date(timeIntervalSinceReferenceDate: 26.5), p27: 27, p28: UUID(), p29: Data([29, 2, 3])),
            ByMacro.Thirty(
                id: 2, p01: 4, p02: "text 2", p03: 3.25, p04: true, p05: nil,
                p06: Date(timeIntervalSinceReferenceDate: 6.5), p07: nil, p08: UUID(), p09: Data([9, 2, 3]),
                p10: 10.5, p11: 74, p12: "text 12", p13: 13.25, p14: true, p15: nil,
                p16: Date(timeIntervalSinceReferenceDate: 16.5), p17: nil, p18: UUID(), p19: Data([19, 2, 3]),
                p20: 20.5, p21: 144, p22: "text 22", p23: 23.25, p24: true, p25: nil,
                p26: Date(timeIntervalSinceReferenceDate: 26.5), p27: nil, p28: UUID(), p29: Data([29, 2, 3])),
        ]
    }

#endif
