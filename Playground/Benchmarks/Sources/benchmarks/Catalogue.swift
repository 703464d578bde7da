/// Every row, in the order of the table.
enum Catalogue {
    /// The rows; a row's larger input is made when the row first runs.
    static var rows: [Row] {
        insertBatch + [fetchAll] + readByID
            + liveList + [liveSum, liveReads]
            + streamFused
            + [streamOpaque, streamSubject]
            + streamSinks
            + [streamShare, streamFlatMapJust, streamMerge, streamCombineLatest, streamZip]
            + [streamReceiveOn, streamValues]
            + streamAttach + [streamAllocations]
    }
}
