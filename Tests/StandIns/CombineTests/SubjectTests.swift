import Combine
import TestSupport

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

  @Test func publishesAPropertyBeforeItChanges() {
    let model = Model()
    var seen: [[Int]] = []
    let subscription = model.$count.dropFirst().sink { seen.append([model.count, $0]) }
    model.count = 5
    model.count += 1
    subscription.cancel()
    model.$count.sink { seen.append([$0]) }.cancel()
    #expect(seen == [[0, 5], [5, 6], [6]])
  }

  @Test func aValueThatWaitsOnAQueueIsDroppedByACancellation() {
    let subject = PassthroughSubject<Int, Never>()
    let queue = DispatchQueue(label: "test")
    let received = Atomic(0)
    let subscription = subject.receive(on: queue).sink { _ in received.add(1, ordering: .relaxed) }
    queue.sync {
      subject.send(1)
      subscription.cancel()
    }
    queue.sync {}
    #expect(received.load(ordering: .relaxed) == 0)
  }

  @Test func aSubscriberThatCancelsAnotherSparesItTheValue() {
    let subject = PassthroughSubject<Int, Never>()
    var received = 0
    var second: AnyCancellable?
    let first = subject.sink { _ in second?.cancel() }
    second = subject.sink { _ in received += 1 }
    subject.send(1)
    #expect(received == 0)
    first.cancel()
  }

  @Test func keepsItsValueAfterTheCompletion() {
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subject.value == 1)
    var received: [Int] = []
    subject.sink { received.append($0) }.cancel()
    #expect(received.isEmpty)
  }

  /// A subscriber that attaches while values are sent receives consecutive values up to the last value.
  @Test func aSubscriberMissesNoValueOfOtherThreads() {
    for _ in 0..<50 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let rows = Mutex<[[Int]]>(Array(repeating: [], count: 4))
      let subscriptions = Mutex<[AnyCancellable]>([])
      DispatchQueue.concurrentPerform(iterations: 5) { index in
        guard index > 0 else { return (1...200).forEach(subject.send) }
        let new = subject.sink { value in rows.withLock { $0[index - 1].append(value) } }
        subscriptions.withLock { $0.append(new) }
      }
      for row in rows.withLock(\.self) { #expect(row == Array((row.first ?? 0)...200)) }
    }
  }

  @Test func removesDuplicatesOfValuesFromSeveralThreads() {
    let subject = PassthroughSubject<String, Never>()
    let count = Atomic(0)
    let subscription = subject.removeDuplicates().sink { _ in count.add(1, ordering: .relaxed) }
    DispatchQueue.concurrentPerform(iterations: 2000) { _ in subject.send("a value of more than 15 bytes") }
    #expect(count.load(ordering: .relaxed) == 1)
    subscription.cancel()
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
