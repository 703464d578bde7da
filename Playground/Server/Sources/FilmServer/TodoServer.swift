import Hummingbird
import Serving
import SignalRepository

struct Todo: Entity, ResponseCodable, Equatable {
    var id = 0
    var text: String
    static let schema = Schema(Column("id", \Todo.id, .generated), Column("text", \.text), make: Todo.init)
}

func todoRouter(_ repository: any Repository, at address: ServerAddress) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: RequestGuard(address))
    router.get("todos") { _, _ in
        try await repository.fetch(Todo.all.limit(100)).value()
    }
    router.post("todos") { request, context in
        let todo = try await request.decode(as: Todo.self, context: context)
        return try await repository.create(todo).value()
    }
    router.get("todos/count") { request, _ in
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await count in repository.countSubscription(Todo.self).values(prefetch: 1) {
                    try await writer.write(ByteBuffer(string: "data: \(count)\n\n"))
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
    return router
}

func serveTodos() async throws {
    let repository = try SQLiteRepository(.file("todos.sqlite"), entities: Todo.self)
    let address = ServerAddress(port: 8080)
    let router = todoRouter(repository, at: address)
    try await ServerLimits().application(router, at: address).runService()
}
