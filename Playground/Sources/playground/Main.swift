import ArgumentParser
import PlaygroundKit
import SignalRepository
import SignalRepositoryPostgres

#if Serve
    import PlaygroundPage
#endif

@main
enum Main {
    static func main() async {
        await Playground.start(adding: [serve]) { (parameters, entities, configuration) throws(RepositoryError) in
            try PostgresRepository(parameters, entities: entities, configuration: configuration)
        }
    }

    private static var serve: any AsyncParsableCommand.Type {
        #if Serve
            ServeCommand.self
        #else
            WithoutPageCommand.self
        #endif
    }
}

extension PostgresRepository: FilmRepository {}
