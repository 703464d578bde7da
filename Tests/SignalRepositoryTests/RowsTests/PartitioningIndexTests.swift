import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The first index that meets a condition") struct PartitioningIndexTests {
    @Test("It is found among any number of elements, even in a slice", arguments: 0..<40)
    func found(count: Int) {
        let numbers = Array(0..<count)
        for first in 0...count {
            #expect(numbers.partitioningIndex { $0 >= first } == first)
            #expect(numbers[(count / 3)...].partitioningIndex { $0 >= first } == max(first, count / 3))
        }
    }
}
