import Signals
import SignalsTesting
import Testing

@Suite struct CannotFailCombiningTests {
    @Test func merge() {
        expectAlike({ $0.merge(with: $1, .just(5)) }, { $0.merge(with: $1, .just(5)) })
        expectAlike({ $1.merge(with: $0, .just(5)) }, { $1.merge(with: $0, .just(5)) })
    }

    @Test func race() {
        expectAlike({ $0.race(with: $1, .never()) }, { $0.race(with: $1, .never()) })
        expectAlike({ $1.race(with: $0, .never()) }, { $1.race(with: $0, .never()) })
        expectAlike({ $0.race(with: $1.drop(9)) }, { $0.race(with: $1.drop(9)) })
    }

    @Test func zip() {
        expectAlike({ $0.zip($1) }, { $0.zip($1) })
        expectAlike({ $1.zip($0) }, { $1.zip($0) })
        expectAlike({ $0.zip($1, $1.map { "\($0)" }) }, { $0.zip($1, $1.map { "\($0)" }) })
        expectAlike({ $1.zip($0, $0.map { "\($0)" }) }, { $1.zip($0, $0.map { "\($0)" }) })
    }

    @Test func combineLatest() {
        expectAlike({ $0.combineLatest($1) }, { $0.combineLatest($1) })
        expectAlike({ $1.combineLatest($0) }, { $1.combineLatest($0) })
        expectAlike({ $0.combineLatest($1, $1.map { "\($0)" }) }, { $0.combineLatest($1, $1.map { "\($0)" }) })
        expectAlike({ $1.combineLatest($0, $0.map { "\($0)" }) }, { $1.combineLatest($0, $0.map { "\($0)" }) })
    }

    @Test func withLatest() {
        expectAlike({ $0.withLatest(from: $1) }, { $0.withLatest(from: $1) })
        expectAlike({ $1.withLatest(from: $0) }, { $1.withLatest(from: $0) })
    }
}
