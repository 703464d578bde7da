/// Every row, in the order of the table.
enum Catalogue {
    /// The rows; a row's larger input is made when the row first runs.
    static var rows: [Row] {
        streamFused
            + [streamOpaque, streamSubject]
            + streamSinks
            + [streamFlatMapJust, streamReceiveOn, streamValues]
            + streamAttach
    }
}
