extension Curve {
    /// The pictures that need a server.
    static var server: [Curve] {
        [
            Curve(
                name: "pg-rows", title: "A change on a server, answer to COMMIT → live sum", size: "rows in the table",
                points: sizes(1_000, 10_000_000).map { size in
                    let changes = ServerChanges(items: size, count: 50)
                    return (size, Catalogue.pgLiveSum("curve.\(size)", changes, peerChanges: size > 100_000 ? 3 : 10))
                }),
            Curve(
                name: "pg-subscriptions", title: "A change on a server, answer to COMMIT → live sum over 10,000 rows",
                size: "subscriptions by id besides",
                points: sizes(1, 10_000).map { size in
                    let changes = ServerChanges(items: 10_000, count: 50, followed: size)
                    return (size, Catalogue.pgLiveSum("curve.followed.\(size)", changes, peerChanges: 5))
                }),
            Curve(
                name: "pg-writers", title: "Commits on a server while a sum over 10,000 rows is followed",
                size: "writers at a time", points: [1, 2, 4, 8, 16].map { ($0, Catalogue.pgLiveWriters($0)) }),
            Curve(
                name: "pg-hosts", title: "A change on a server, answer to COMMIT → live sums of all hosts",
                size: "hosts that follow 10,000 rows",
                points: [1, 2, 4, 8, 16].map { size in
                    let changes = ServerChanges(items: 10_000, count: 50, hosts: size)
                    return (size, Catalogue.pgLiveSum("curve.hosts.\(size)", changes, peerChanges: 10))
                }),
        ]
    }
}
