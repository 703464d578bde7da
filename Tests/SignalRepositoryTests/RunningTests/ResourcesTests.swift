#if os(Linux)
    import Foundation
    import SignalRepository
    import Signals
    import SignalsTesting
    import Testing

    @Suite("Resources of a closed repository", .timeLimit(.minutes(10)), .serialized) struct ResourcesTests {
        /// The descriptors of this process for files in a folder.
        private func descriptors(in folder: TemporaryFolder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            }.filter { $0.hasPrefix(folder.path) }
        }

        @Test("R11 Once close() has sent its value, every descriptor is closed, though the repository is held")
        func descriptors() async throws {
            let folder = try TemporaryFolder()
            var held: [SQLiteRepository] = []
            for number in 0..<200 {
                let path = folder.file("\(number).sqlite")
                let repository = try SQLiteRepository(.file(path), entities: Film.self)
                try await repository.insert([Film.numbered(1), .numbered(2)]).value()
                let reads = (0..<6).map { _ in repository.fetch(Film.all).record() }
                let live = repository.fetchSubscription(Film.all).record()
                let changes = repository.changes().record()
                _ = try await repository.read(Film.self, id: Film.id(1)).value()
                _ = try await repository.delete(Film.numbered(2)).value()
                for read in reads { _ = await read.end() }
                _ = await live.values(1)
                await closed(repository)
                #expect(try descriptors(in: folder).isEmpty)
                held.append(repository)
                live.cancel()
                changes.cancel()
            }
            #expect(held.count == 200)
        }

        @Test("R11 A read that ends after the close leaves no connection behind")
        func readers() async throws {
            let folder = try TemporaryFolder()
            for _ in 0..<200 {
                let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
                let reads = (0..<8).map { _ in repository.count(Film.self).record() }
                await closed(repository)
                #expect(try descriptors(in: folder).isEmpty)
                for read in reads { _ = await read.end() }
            }
        }

        @Test("A repository that is released can be opened again at once")
        func reopened() async throws {
            let folder = try TemporaryFolder()
            for number in 0..<100 {
                let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
                #expect(try await repository.count(Film.self).value() == number)
                try await repository.create(Film.numbered(number)).value()
                if number.isMultiple(of: 2) { repository.close() }
            }
        }

        @Test("R11 A thousand repositories leave neither descriptors nor threads")
        func thousand() async throws {
            func count(_ folder: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: folder).count
            }
            var held: [SQLiteRepository] = []
            let folder = try TemporaryFolder()
            let before = try count("/proc/self/task")
            for number in 0..<1000 {
                let isInMemory = number.isMultiple(of: 10)
                let store = isInMemory ? StoreLocation.inMemory : .file(folder.file("\(number % 7).sqlite"))
                let repository = try SQLiteRepository(
                    store, entities: Film.self, configuration: RepositoryConfiguration(durability: .normal))
                try await repository.upsert(Film.numbered(1)).value()
                #expect(try await repository.count(Film.self).value() == 1)
                await closed(repository)
                held.append(repository)
            }
            #expect(try descriptors(in: folder).isEmpty)
            // Other tests start and end threads too, but a thread for each repository would be a thousand.
            #expect(try count("/proc/self/task") < before + 150)
            #expect(held.count == 1000)
        }
    }
#endif
