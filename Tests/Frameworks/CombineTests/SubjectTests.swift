import Combine
import Synchronization
import Testing

@Suite struct SubjectTests {
  @Test func sendsToSubscribersUntilTheyCancel() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    subject.send(0)
    let subscription = subject.map { $0 * 10 }.filter { $0 != 20 }.sink { received.append($0) }
    for value in 1...3 { subject.send(value) }
    subscription.cancel()
    subject.send(4)
    #expect(received == [10, 30])
  }

  @Test func endsWithTheReleaseOfTheSubscription() {
    let subject = PassthroughSubject<Void, Never>()
    var count = 0
    var subscriptions = Set<AnyCancellable>()
    subject.sink { count += 1 }.store(in: &subscriptions)
    subject.send()
    subscriptions.removeAll()
    subject.send()
    #expect(count == 1)
  }

  @Test func keepsTheCurrentValue() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var received: [Int] = []
    let subscription = subject.removeDuplicates().sink { received.append($0) }
    for value in [1, 2, 2, 3] { subject.send(value) }
    subject.value = 4
    #expect(received == [1, 2, 3, 4])
    #expect(subject.value == 4)
    subscription.cancel()
  }

  @Test func completesOnce() {
    struct Failure: Error {}
    let subject = PassthroughSubject<Int, Failure>()
    var ends = 0
    var received: [Int] = []
    let early = subject.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { received.append($0) })
    subject.send(completion: .failure(Failure()))
    subject.send(5)
    subject.send(completion: .finished)
    let late = subject.sink(
      receiveCompletion: { if case .failure = $0 { ends += 1 } }, receiveValue: { received.append($0) })
    #expect(ends == 2)
    #expect(received.isEmpty)
    early.cancel()
    late.cancel()
  }

  private final class Model: ObservableObject {
    @Published var count = 0
  }

  @Test func publishesAProperty() {
    let model = Model()
    var received: [Int] = []
    let subscription = model.$count.dropFirst().sink { received.append($0) }
    model.count = 5
    model.count += 1
    subscription.cancel()
    #expect(received == [5, 6])
  }

  @Test func receivesOnAQueue() async {
    let received = await withCheckedContinuation { continuation in
      let subscription = Mutex<AnyCancellable?>(nil)
      let new = Just(7).receive(on: DispatchQueue(label: "test")).sink { value in
        continuation.resume(returning: value)
        subscription.withLock { $0 = nil }
      }
      subscription.withLock { $0 = new }
    }
    #expect(received == 7)
  }
}
