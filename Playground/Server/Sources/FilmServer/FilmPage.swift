import SignalRepository

/// Some films, and where the next ones begin: the client sends `next` back as it is.
struct FilmPage: Encodable {
    let films: [Film]
    let next: PageCursor?

    init(_ page: Page<Film>) {
        (films, next) = (page.items, page.next)
    }
}
