import PlaygroundKit
import SignalRepository
import SignalRepositoryPostgres

@main
enum Main {
    static func main() async {
        await Playground.start { (parameters, entities, access) throws(RepositoryError) in
            try PostgresRepository(parameters, entities: entities, access: access)
        }
    }
}

extension PostgresRepository: FilmRepository {}
