/// Some rows of an input in a row: those that are films, and those that are not.
struct RowBatch: Sendable {
    var films: [Film] = []
    var rejects: [RejectedRow] = []
    /// How many bytes of the input had been read with this batch.
    var bytesRead = 0

    /// Reads up to `size` rows, or fewer that hold `largestBatch` bytes of text; nil at the end of the input.
    static func read(_ size: Int, from reader: inout any RecordReader) throws(PlaygroundError) -> RowBatch? {
        var batch = RowBatch()
        var text = 0
        while batch.films.count + batch.rejects.count < size, text < largestBatch, let record = try reader.next() {
            text += record.size
            do throws(RowRejection) {
                batch.films.append(try Film(record))
            } catch {
                batch.rejects.append(RejectedRow(record: record, reason: error.reason))
            }
        }
        batch.bytesRead = reader.bytesRead
        return batch.films.isEmpty && batch.rejects.isEmpty ? nil : batch
    }
}
