/// The due times of scheduled work, in a heap ordered by time, then by sequence number.
struct Agenda {
    struct Entry: Comparable {
        let time: Duration
        let sequence: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.sequence) < (right.time, right.sequence)
        }
    }

    private var heap: [Entry] = []

    /// The entry that is due first.
    var first: Entry? { heap.first }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
