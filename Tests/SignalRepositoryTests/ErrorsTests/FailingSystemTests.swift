import CSQLite
import Foundation
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Errors of the operating system, each in its own process, because provoking one affects the whole process.
@Suite("R12 Errors of the system") struct FailingSystemTests {
    @Test("R12 a write that the system refuses fails with .io and stores nothing", .prompt)
    func inputOutput() async {
        await #expect(processExitsWith: .success) {
            try await withRepository(.file, [Box<Data>.self]) { repository in
                try await repository.create(Box(id: 0, value: Data())).value()
                limitFileSize(to: 200_000)
                // More than the cache holds, so that SQLite writes before the commit.
                let boxes = (1...20).map { Box(id: $0, value: Data(count: 500_000)) }
                await expectFailure({ if case .io = $0 { true } else { false } }) {
                    try await repository.insert(boxes).value()
                }
                limitFileSize(to: 1_000_000_000)
                #expect(try await repository.fetch(Box<Data>.all).value() == [Box(id: 0, value: Data())])
                #expect(try await repository.insert(boxes).value() == 20)
            }
        }
    }

    @Test("R12 a change that runs out of memory fails with .outOfMemory and stores nothing", .prompt)
    func memory() async {
        await #expect(processExitsWith: .success) {
            try await withRepository(.file, [Box<String>.self]) { repository in
                try await repository.create(Box(id: 0, value: "")).value()
                sqlite3_hard_heap_limit64(8_000_000)
                await expectFailure({ if case .outOfMemory = $0 { true } else { false } }) {
                    try await repository.transaction { store in
                        try store.create(Box(id: 1, value: "before"))
                        try store.execute("INSERT INTO Box VALUES (2, hex(zeroblob(20000000)))")
                    }.value()
                }
                #expect(try await repository.fetch(Box<String>.all).value() == [Box(id: 0, value: "")])
            }
        }
    }
}
