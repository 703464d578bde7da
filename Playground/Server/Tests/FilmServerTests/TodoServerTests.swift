import Hummingbird
import Serving
import SignalRepository
import Testing

@testable import FilmServer

@Suite("The smallest server", .timeLimit(.minutes(1))) struct TodoServerTests {
    @Test("A posted item is listed, and counted live")
    func todos() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Todo.self)
        let address = ServerAddress(port: 0)
        let application = { (started: @escaping @Sendable (Int) -> Void) in
            ServerLimits().application(todoRouter(repository, at: address), at: address, started: started)
        }
        try await Server.run(repository, application) { server in
            var counts = Events(try server.url("/todos/count"))
            #expect(try await counts.next() == "0")
            let made = try await server.send("POST", "/todos", #"{"id": 0, "text": "bread"}"#)
            #expect(try made.decoded(Todo.self) == Todo(id: 1, text: "bread"))
            #expect(try await counts.next() == "1")
            #expect(try await server.send("GET", "/todos").decoded([Todo].self) == [Todo(id: 1, text: "bread")])
            counts.close()
        }
    }
}
