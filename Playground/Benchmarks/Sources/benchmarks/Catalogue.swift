/// Every row, in the order of the table.
enum Catalogue {
    /// The rows, whose large inputs are made when they first run.
    static var rows: [Row] {
        insertBatch + insertBatchLive + [fetchAll, fetchFirst, updateByID] + writeApart + readByID
            + [liveFirst, backup] + history + wide
            + live + nearest
            + streamFused
            + [streamOpaque, streamSubject]
            + streamSinks
            + [streamShare, streamFlatMapJust, streamMerge]
            + streamCombineLatest + streamZip + streamRemembering
            + [streamReentrant, streamReceiveOn, streamValues]
            + streamAttach + [streamAllocations]
            + postgres + postgresLive
    }

    private static var live: [Row] {
        liveList + liveListChanges + liveSum + [liveGroup, liveTop, liveComputed] + liveLinked + liveSelected
            + liveReadings + liveReads + liveConditions + [liveShared, liveIdle, liveElsewhere, liveEngine]
            + [("1k", 1_000), ("4k", 4_000), ("5k", 5_000), ("10k", 10_000), ("20k", 20_000)].map { name, rows in
                liveCommit("live.commit.\(name)", rows: rows, bars: [.ofPeer(0.8)])
            }
    }

    /// Pairs of rows whose cost must hardly grow with the amount of followed data, or with a third input.
    static let flatness = [
        Flatness(rows: ("live.sum.1k", "live.sum.1M"), limit: 1.5),
        Flatness(rows: ("live.list.changes.1k", "live.list.changes.1M"), limit: 2),
        Flatness(rows: ("live.reads1k", "live.reads100k"), limit: 1.5),
        Flatness(rows: ("live.equal1k", "live.equal10k"), limit: 2),
        Flatness(rows: ("live.range1k", "live.range10k"), limit: 2),
        Flatness(rows: ("stream.combineLatest", "stream.combineLatest3"), limit: 2),
        Flatness(rows: ("stream.zip2", "stream.zip3"), limit: 2),
        Flatness(rows: ("pg.live.sum.1k", "pg.live.sum.1M"), limit: 1.5),
    ]
}
