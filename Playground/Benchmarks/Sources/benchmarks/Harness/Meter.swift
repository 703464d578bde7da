import CAllocations

/// Measures the part of a run that counts; what is done outside its calls is free.
struct Meter {
    /// What has been measured so far: seconds, or allocations.
    private(set) var amount = 0.0

    /// Adds the seconds that `work` takes.
    mutating func time<Result>(_ work: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try work()
        amount += (ContinuousClock.now - start) / .seconds(1)
        return result
    }

    /// Adds the blocks that `work` allocates on this thread.
    mutating func allocations<Result>(_ work: () throws -> Result) rethrows -> Result {
        let before = allocations_so_far()
        let result = try work()
        amount += Double(allocations_so_far() - before)
        return result
    }

    /// Adds seconds that the work has measured for itself.
    mutating func add(_ duration: Duration) {
        amount += duration / .seconds(1)
    }
}
