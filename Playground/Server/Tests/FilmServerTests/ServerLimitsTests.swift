import Foundation
import Logging
import ServiceLifecycle
import ServingTesting
import SignalRepository
import Testing

@testable import FilmServer
@testable import Serving

// A client that is not disconnected would hang the test.
@Suite("The limits of a server", .timeLimit(.minutes(1))) struct ServerLimitsTests {
    private static let list = "GET /films?size=100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    private func run(
        _ change: (inout ServerLimits) -> Void, _ body: (Server, Int) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        change(&limits)
        try await Server.run(limits: limits) { server in try await body(server, try #require(server.base.port)) }
    }

    @Test("W4 A connection beyond the limit replaces the one that has waited longest for its client")
    func connections() async throws {
        try await run({ $0.connections = 3 }) { server, port in
            var stream = Events(try server.url("/films/totals"))
            #expect(try await stream.next() != nil)
            let clients = try (0..<2).map { _ in try RawConnection(port: port) }
            for index in [0, 1, 0] {
                clients[index].send(Self.list)
                #expect(await clients[index].received(until: "}").hasPrefix("HTTP/1.1 200"))
            }
            let late = try RawConnection(port: port)
            late.send(Self.list)
            #expect(await late.received(until: "}").hasPrefix("HTTP/1.1 200"))
            #expect(await clients[1].received().isEmpty)
            // A client that is being answered is not closed.
            for _ in 0..<10 {
                clients[0].send(Self.list)
                #expect(await clients[0].received(until: "}").hasPrefix("HTTP/1.1 200"))
                late.send(Self.list)
                #expect(await late.received(until: "}").hasPrefix("HTTP/1.1 200"))
            }
            try await server.repository.create(Film(id: UUID(), title: "Up", boxOffice: 1)).value()
            #expect(try await stream.next() != nil)
            stream.close()
        }
    }

    @Test(
        "W4 A response before the whole request, and a second request at once, count like any other")
    func answeredEarly() async throws {
        try await run({ $0.connections = 3 }) { server, port in
            // The response comes before the body. After the body, the connection waits again.
            let early = try RawConnection(port: port)
            early.send(
                "POST /films HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n")
            #expect(await early.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 415"))
            early.send("x")
            // Its second response is a stream, so it is not closed.
            let stream = try RawConnection(port: port)
            stream.send(Self.list + "GET /films/totals HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(await stream.received(until: "data:").contains("event-stream"))
            for _ in 0..<10 { #expect(try await server.send("GET", "/films").status == 200) }
            for _ in 0..<4 {
                let client = try RawConnection(port: port)
                client.send(Self.list)
                #expect(await client.received(until: "}").hasPrefix("HTTP/1.1 200"))
            }
            #expect(await !early.received().contains("HTTP/1.1 2"))
            try await server.repository.create(Film(id: UUID(), title: "Up", boxOffice: 1)).value()
            #expect(await stream.received(until: "data:").contains("data:"))
        }
    }

    @Test("W4 A flood of clients that send nothing, or only begin a request, keeps nobody out")
    func flood() async throws {
        try await run({ $0.connections = 20 }) { server, port in
            var silent: [RawConnection] = []
            for number in 0..<300 {
                let client = try RawConnection(port: port)
                client.send(["", "GET /films HT", "POST /films HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"][number % 3])
                silent.append(client)
                guard number % 10 == 0 else { continue }
                #expect(try await server.send("GET", "/films").status == 200)
            }
            for client in silent { client.close() }
        }
    }

    @Test("W4 A stream beyond the limit is refused, other requests are not, and the end of a stream allows another")
    func streams() async throws {
        try await run({ $0.streams = 2 }) { server, port in
            var streams = try (0..<2).map { _ in Events(try server.url("/films/totals")) }
            for index in streams.indices { #expect(try await streams[index].next() != nil) }
            let refused = try RawConnection(port: port)
            refused.send("GET /films/totals HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let answer = await refused.received()
            // Its connection is free for others at once.
            #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("try again"), "\(answer)")
            #expect(try await server.send("GET", "/films").status == 200)
            streams[0].close()
            while server.repository.statistics.subscriptions > 1 { await Task.yield() }
            // Another stream is accepted once its response has ended.
            while true {
                let client = try RawConnection(port: port)
                client.send("GET /films/totals HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                if await client.received(until: "\r\n").hasPrefix("HTTP/1.1 200") { break }
            }
            streams[1].close()
        }
    }

    @Test("W4 A client that sends half a request, or half of its body, is disconnected")
    func silence() async throws {
        try await run({ $0.silence = .milliseconds(50) }) { _, port in
            for text in [
                "", "GET /films HTTP/1.1\r\nHost: 127.0.0.1\r\n",
                "POST /films HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 99\r\n\r\n{",
            ] {
                let client = try RawConnection(port: port)
                client.send(text)
                #expect(await !client.received().hasPrefix("HTTP/1.1 2"))
            }
        }
    }

    @Test("W4 A client whose request takes too long to arrive is disconnected, before its silence is too long")
    func arrival() async throws {
        try await run({ $0.arrival = .milliseconds(50) }) { server, port in
            let client = try RawConnection(port: port)
            client.send(
                "POST /films HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 99\r\n\r\n{")
            #expect(await !client.received().hasPrefix("HTTP/1.1 2"))
            #expect(try await server.repository.count(Film.self).value() == 0)
        }
    }

    @Test("W4 A client that does not read is disconnected")
    func unread() async throws {
        try await run({
            $0.unread = .milliseconds(50)
            $0.connections = 1
        }) { server, port in
            let title = String(repeating: "x", count: 1_000)
            let films = (0..<100).map { _ in Film(id: UUID(), title: title, boxOffice: 1) }
            try await server.repository.insert(films).value()
            // One connection is answered, and one more is accepted.
            var stream = Events(try server.url("/films/totals"))
            #expect(try await stream.next() != nil)
            let idle = try RawConnection(port: port)
            // More than the buffers of both ends hold.
            idle.send(String(repeating: Self.list, count: 400))
            #expect(await idle.received(until: "\r\n").hasPrefix("HTTP/1.1 200"))
            let next = try RawConnection(port: port)
            next.send(Self.list)
            // It is accepted once the idle one is closed.
            #expect(await next.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            idle.close()
            stream.close()
        }
    }

    /// A service that does not end when it is cancelled.
    private struct Stubborn: Service {
        let began: AsyncStream<Void>.Continuation
        let release: AsyncStream<Void>

        func run() async throws {
            began.yield()
            await Task { for await _ in release {} }.value
        }
    }

    @Test("W8 A shutdown that hangs ends at its limit")
    func shutdown() async throws {
        let (starts, began) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let (limit, isReached) = AsyncStream<Void>.makeStream()
        var limits = ServerLimits()
        limits.shutdown = .milliseconds(10)
        var configuration = ServiceGroupConfiguration(
            services: [Stubborn(began: began, release: released)], logger: Lines().logger())
        limits.bound(&configuration) { isReached.yield() }
        let group = ServiceGroup(configuration: configuration)
        let run = Task { try await group.run() }
        await starts.first { _ in true }
        await group.triggerGracefulShutdown()
        await limit.first { _ in true }
        release.finish()
        _ = await run.result
    }
}
