#if Macros
    import Foundation
    import SignalRepository
    import SignalRepositoryMacros
    import Testing

    @Suite("A model with @Entity in a store", .timeLimit(.minutes(10))) struct StoredModelTests {
        @Test("Five columns are the same as when declared by hand")
        func five() async throws { try await expectTwins(ByMacro.Five.some, ByHand.Five.self) }

        @Test("Seventeen columns are the same as when declared by hand")
        func seventeen() async throws { try await expectTwins(ByMacro.Seventeen.some, ByHand.Seventeen.self) }

        @Test("Thirty columns are the same as when declared by hand")
        func thirty() async throws { try await expectTwins(ByMacro.Thirty.some, ByHand.Thirty.self) }

        @Test("Every marker creates the same column as its option")
        func markers() async throws {
            let films = [ByMacro.Film.numbered(1, studio: "P"), .numbered(2, studio: nil)]
            try await expectTwins(
                films, ByHand.Film.self, beside: [(ByMacro.Studio.self, ByHand.Studio.self)]
            ) { repository in
                try await repository.create(ByMacro.Studio(code: "P", name: "Polygram")).value()
            }
        }

        @Test("Text is searched as in the model written by hand")
        func search() async throws {
            let plays = [
                ByMacro.Play(id: 1, title: "A quick fox", note: nil), .init(id: 2, title: "b", note: "Quick!"),
            ]
            try await expectTwins(plays, ByHand.Play.self)
            let repository = try SQLiteRepository(.inMemory, entities: ByMacro.Play.self)
            try await repository.insert(plays).value()
            let found = try await repository.fetch(ByMacro.Play.matching("QUICK")).value().map(\.item.id)
            #expect(Set(found) == [1, 2])
            #expect(try await repository.fetch(ByMacro.Play.matching("fox quick")).value().map(\.item.id) == [1])
        }

        @Test("An item is found by a key with another name")
        func key() async throws {
            let studio = ByMacro.Studio(code: "P", name: "Polygram")
            try await expectTwins([studio], ByHand.Studio.self)
            let repository = try SQLiteRepository(.inMemory, entities: ByMacro.Studio.self)
            try await repository.create(studio).value()
            #expect(studio.id == "P")
            #expect(try await repository.read(ByMacro.Studio.self, id: "P").value() == studio)
        }

        @Test("Two properties make a composite key, and the store sets generated keys and times")
        func storesKeys() async throws {
            let ratings = ["a", "b"].map { ByMacro.Rating(note: 1, critic: $0, stars: 3) }
            try await expectTwins(ratings, ByHand.Rating.self, beside: [(ByMacro.Note.self, ByHand.Note.self)]) {
                repository in
                let note = try await repository.create(ByMacro.Note(text: "words")).value()
                #expect(note.id == 1 && note.created > .distantPast && note.updated == note.created)
            }
            #expect(ratings.map(\.id) == [CompositeKey(1, "a"), CompositeKey(1, "b")])
        }

        @Test("Conditions, orderings and rounding work with the columns that the macro declares")
        func queries() async throws {
            let repository = try SQLiteRepository(.inMemory, entities: ByMacro.Film.self, ByMacro.Studio.self)
            var film = ByMacro.Film.numbered(2, studio: nil)
            film.budget = 2.5
            try await repository.insert([film, .numbered(1, studio: nil)]).value()
            let titles = try await repository.fetch(ByMacro.Film.where { $0.größe > 1 }).value().map(\.title)
            #expect(titles == ["Film 1", "Film 2"])
            #expect(try await repository.read(ByMacro.Film.self, id: film.id).value().budget == 2)
        }

        @Test("A public struct with its own public initializer is an entity")
        func publicStruct() async throws {
            let repository = try SQLiteRepository(.inMemory, entities: Ticket.self)
            let ticket = Ticket(id: 1, seat: "A 7")
            try await repository.create(ticket).value()
            #expect(try await repository.fetch(Ticket.all).value() == [ticket])
        }

        @Test("A private struct with private properties is an entity")
        func privateStruct() async throws { #expect(try await Private.comesBack()) }
    }
#endif
