#if Serve
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// Adds, changes and deletes films, one at a time; the film is named in the body, because its id may be any text.
    struct FilmEdits: Sendable {
        private let repository: any FilmRepository

        init(_ repository: any FilmRepository) {
            self.repository = repository
        }

        func add(to router: Router<PageContext>) {
            router.group("films")
                .post { request, context in try await create(try await form(request, context)) }
                .patch { request, context in try await change(try await form(request, context)) }
                .delete { request, context in try await delete(try await form(request, context)) }
        }

        private func form(_ request: Request, _ context: PageContext) async throws -> FilmForm {
            try await request.decode(as: FilmForm.self, context: context)
        }

        private func create(_ form: FilmForm) async throws -> Response {
            let film = try form.film()
            try await repository.transaction(author: "page") { store in
                try refuseTwice(film, in: store)
                try store.insert([film])
            }.value()
            return .json(film.pageJSON, status: .created)
        }

        /// Changes only the properties that the form names, because two people may change one film at once.
        private func change(_ form: FilmForm) async throws -> Response {
            let id = try form.knownID
            let film = try await repository.transaction(author: "page") { store in
                let before = try store.read(Film.self, id: id)
                let film = try form.film(changing: before)
                if film.id == id { return try store.update(film) }
                // The title and the date identify a film, so a change of either makes it another film.
                try refuseTwice(film, in: store)
                try store.delete(before)
                try store.insert([film])
                return film
            }.value()
            return .json(film.pageJSON)
        }

        private func delete(_ form: FilmForm) async throws -> Response {
            try await repository.delete(Film.self, id: try form.knownID).value()
            return Response(status: .noContent)
        }

        private func refuseTwice(_ film: Film, in store: WriteTransaction) throws {
            guard try store.find(Film.self, id: film.id) == nil else {
                throw HTTPError(.conflict, message: "There is a film of this title and date already.")
            }
        }
    }

    extension Response {
        /// A response whose body is the given JSON.
        static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
            Response(
                status: status, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }
#endif
