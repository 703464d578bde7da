import ArgumentParser
import CAllocations
import Foundation

/// A meter for the part of a run that counts; work outside its calls is not measured.
struct Meter {
    /// The clock that seconds are measured by.
    enum Clock: String, ExpressibleByArgument, CaseIterable {
        /// Elapsed time.
        case wall
        /// The CPU time of all threads of this program, which other programs hardly disturb.
        case cpu

        /// The current reading, in seconds.
        var now: Double {
            var time = timespec()
            clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    let clock: Clock
    /// The amount measured so far: seconds, allocations or bytes.
    private(set) var amount = 0.0

    /// Adds the seconds that `work` takes.
    mutating func time<Result>(_ work: () throws -> Result) rethrows -> Result {
        instructions_begin()
        let start = clock.now
        let result = try work()
        amount += clock.now - start
        instructions_end()
        return result
    }

    /// Adds the user time, in seconds, of the programs that `work` starts and waits for.
    mutating func children<Result>(_ work: () throws -> Result) rethrows -> Result {
        func seconds() -> Double {
            var used = tms()
            times(&used)
            return Double(used.tms_cutime) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        let before = seconds()
        let result = try work()
        amount += seconds() - before
        return result
    }

    /// Scales the measured amount, if the form made fewer or more operations than the row counts.
    mutating func scale(by factor: Double) {
        amount *= factor
    }

    /// Adds an amount that another meter has measured.
    mutating func add(_ amount: Double) {
        self.amount += amount
    }

    /// Adds the bytes that all threads hold after `work` and did not hold before.
    mutating func bytes<Result>(_ work: () throws -> Result) rethrows -> Result {
        let before = allocated_bytes()
        let result = try work()
        amount += Double(allocated_bytes()) - Double(before)
        return result
    }

    /// Adds the blocks that `work` allocates on this thread.
    mutating func allocations<Result>(_ work: () throws -> Result) rethrows -> Result {
        let before = allocations_so_far()
        let result = try work()
        amount += Double(allocations_so_far() - before)
        return result
    }
}
