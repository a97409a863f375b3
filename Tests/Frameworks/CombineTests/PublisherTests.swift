import Combine
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct PublisherTests {
  /// A publisher as a team writes it: counts up to a number, as its subscriber demands.
  private struct Counter: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let end: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subscriber.receive(subscription: Counting(subscriber: subscriber, end: end))
    }
  }

  private final class Counting<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private let end: Int
    private var next = 1

    init(subscriber: S, end: Int) { (self.subscriber, self.end) = (subscriber, end) }

    func request(_ demand: Subscribers.Demand) {
      var demand = demand
      while demand > 0, let subscriber, next <= end {
        demand -= 1
        next += 1
        demand += subscriber.receive(next - 1)
      }
      if next > end { subscriber?.receive(completion: .finished) }
    }

    func cancel() { subscriber = nil }
  }

  /// A subscriber that demands one value after the other.
  private final class OneByOne<Input>: Subscriber {
    typealias Failure = Never
    private(set) var received: [Input] = []
    private(set) var hasEnded = false
    var subscription: (any Subscription)?
    let limit: Int

    init(limit: Int) { self.limit = limit }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(.max(1))
    }
    func receive(_ input: Input) -> Subscribers.Demand {
      received.append(input)
      return received.count < limit ? .max(1) : .none
    }
    func receive(completion: Subscribers.Completion<Never>) { hasEnded = true }
  }

  @Test func aPublisherOfATeamWorksWithTheOperators() {
    var received: [Int] = []
    var ends = 0
    _ = Counter(end: 4).map { $0 * 10 }.sink(receiveCompletion: { _ in ends += 1 }) { received.append($0) }
    #expect(received == [10, 20, 30, 40] && ends == 1)
    received = []
    _ = AnyPublisher(Counter(end: 9)).prefix(3).collect().sink { received = $0 }
    #expect(received == [1, 2, 3])
    _ = Counter(end: 3).scan(0, +).eraseToAnyPublisher().sink { received.append($0) }
    #expect(received == [1, 2, 3, 1, 3, 6])
  }

  @Test func aSubscriberGetsWhatItDemands() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = OneByOne<Int>(limit: 2)
    subject.subscribe(subscriber)
    for value in 1...4 { subject.send(value) }
    #expect(subscriber.received == [1, 2])
    subscriber.subscription?.request(.max(1))
    subject.send(5)
    subject.send(6)
    #expect(subscriber.received == [1, 2, 5])
    subject.send(completion: .finished)
    #expect(subscriber.hasEnded)
    let other = OneByOne<Int>(limit: 3)
    Counter(end: 5).receive(subscriber: other)
    #expect(other.received == [1, 2, 3] && !other.hasEnded)
  }

  @Test func publishersAreMerged() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var merged: [Int] = []
    var pairs: [String] = []
    var ends = 0
    let subscriptions = [
      first.merge(with: second).sink(receiveCompletion: { _ in ends += 1 }) { merged.append($0) },
      first.combineLatest(second).sink { pairs.append("\($0)\($1)") },
    ]
    first.send(1)
    second.send(2)
    first.send(3)
    first.send(completion: .finished)
    second.send(4)
    #expect(merged == [1, 2, 3, 4] && pairs == ["12", "32", "34"] && ends == 0)
    second.send(completion: .finished)
    #expect(ends == 1)
    subscriptions.forEach { $0.cancel() }
  }

  @Test func valuesBecomePublishers() {
    struct Failure: Error, Equatable {}
    var received: [Int] = []
    _ = [1, 2].publisher.flatMap { [$0, $0 * 10].publisher }.sink { received.append($0) }
    #expect(received == [1, 10, 2, 20])
    received = []
    _ = Fail<Int, Failure>(error: Failure()).catch { _ in Just(7) }.sink { received.append($0) }
    _ = Fail<Int, Failure>(error: Failure()).replaceError(with: 8).sink { received.append($0) }
    var failures: [Bool] = []
    _ = Just(1).setFailureType(to: Failure.self).tryMap { _ -> Int in throw Failure() }
      .mapError { $0 is Failure ? Failure() : Failure() }
      .sink(receiveCompletion: { failures.append($0 == .failure(Failure())) }) { received.append($0) }
    #expect(received == [7, 8] && failures == [true])
    _ = Empty<Int, Never>().sink(receiveCompletion: { _ in failures.append(true) }) { received.append($0) }
    #expect(failures == [true, true])
  }

  @Test func aFutureHasOneResult() {
    var promise: Future<Int, Never>.Promise?
    var runs = 0
    let future = Future<Int, Never> {
      runs += 1
      promise = $0
    }
    var received: [Int] = []
    var ends = 0
    let first = future.sink(receiveCompletion: { _ in ends += 1 }) { received.append($0) }
    promise?(.success(3))
    promise?(.success(4))
    let second = future.sink { received.append($0) }
    #expect(received == [3, 3] && runs == 1 && ends == 1)
    first.cancel()
    second.cancel()
  }

  @Test func onlyTheLastOfManyValuesComes() async {
    let subject = PassthroughSubject<Int, Never>()
    let received = Mutex<[String]>([])
    let queue = DispatchQueue(label: "scheduler")
    let subscriptions = [
      subject.debounce(for: .milliseconds(50), scheduler: queue).sink { value in
        received.withLock { $0.append("d\(value)") }
      },
      subject.throttle(for: .milliseconds(50), scheduler: queue, latest: true).sink { value in
        received.withLock { $0.append("t\(value)") }
      },
      subject.delay(for: 0.05, scheduler: queue).sink { value in received.withLock { $0.append("l\(value)") }
      },
    ]
    for value in 1...5 { subject.send(value) }
    let hasCome = await eventually {
      let all = received.withLock(\.self)
      return all.contains("d5") && all.contains("t5") && all.contains("l5")
    }
    #expect(hasCome)
    let all = received.withLock(\.self)
    #expect(all.filter { $0.hasPrefix("t") } == ["t1", "t5"] && all.filter { $0.hasPrefix("l") }.count == 5)
    #expect(all.filter { $0.hasPrefix("d") }.last == "d5")
    subscriptions.forEach { $0.cancel() }
  }

  @Test func aTimerSendsTheTime() async {
    let count = Mutex(0)
    let subscription = Timer.publish(every: 0.005, on: .main, in: .common).autoconnect()
      .sink { _ in count.withLock { $0 += 1 } }
    #expect(await eventually { count.withLock { $0 >= 3 } })
    subscription.cancel()
  }

  private final class Model: ObservableObject {
    @Published var name = "a"
    @Published private(set) var length = 0

    init() { $name.map(\.count).assign(to: &$length) }
  }

  @Test func anObjectAnnouncesItsChanges() {
    let model = Model()
    var events: [String] = []
    var subscriptions: [AnyCancellable] = []
    model.objectWillChange.sink { events.append("will change from \(model.name)") }.store(in: &subscriptions)
    AnyCancellable(model.$name.sink { events.append($0) }).store(in: &subscriptions)
    model.name = "bcd"
    #expect(events == ["a", "will change from a", "bcd"])
    #expect(model.length == 3 && model.objectWillChange === model.objectWillChange)
    subscriptions.removeAll()
    weak var gone = model
    #expect(gone != nil)
    gone = nil
  }
}
