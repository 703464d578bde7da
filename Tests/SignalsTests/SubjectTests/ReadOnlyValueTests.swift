import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ReadOnlyValueTests {
    @Test("S39 it can be read and followed like the underlying value") func follows() {
        let current = CurrentValue<Int, LawFailure>(1)
        let view = current.readOnly
        let recorder = view.signal.record()
        current.value = 2
        #expect(view.value == 2 && recorder.values == [1, 2])
        current.send(completion: .failure(LawFailure(3)))
        #expect(recorder.completion == .failure(LawFailure(3)) && view.value == 2)
    }

    @Test("S22 a part of it can be read and followed") func map() {
        let current = CurrentValue<(name: String, year: Int), Never>(("Fargo", 1996))
        let name = current.readOnly.map { $0.name }
        let length = name.map { $0.count }
        let recorder = length.signal.record(demand: .none)
        current.value = ("Gattaca", 1997)
        #expect(name.value == "Gattaca" && length.value == 7)
        recorder.request(.max(1))
        #expect(recorder.values == [7])
    }

    @Test func aPartIsMadeOnlyWhenItIsReadOrFollowed() {
        let calls = Count()
        let current = CurrentValue<Int, Never>(1)
        let part = current.readOnly.map { value in
            calls.raise()
            return value * 2
        }
        current.value = 2
        #expect(calls.value == 0)
        #expect(part.value == 4 && calls.value == 1)
    }

    @Test("S28 no lock is held while a part is computed") func underNoLock() {
        let current = CurrentValue<Int, Never>(1)
        let part = current.readOnly.map { value in
            if value == 1 { current.value = 5 }
            return value
        }
        #expect(part.value == 1 && part.value == 5)
    }

    @Test func itKeepsTheValueBehindIt() {
        func make() -> ReadOnlyValue<Int, Never> { CurrentValue<Int, Never>(9).readOnly }
        let view = make()
        #expect(view.value == 9 && view.signal.record().values == [9])
    }
}
