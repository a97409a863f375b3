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
    _ = AnyPublisher(Counter(end: 9)).prefix(3).sink { received.append($0) }
    #expect(received == [1, 2, 3])
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
    let third = OneByOne<Int>(limit: 2)
    [1, 2, 3].publisher.subscribe(third)
    #expect(third.received == [1, 2] && !third.hasEnded)
    third.subscription?.request(.max(1))
    #expect(third.received == [1, 2, 3] && third.hasEnded)
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
    _ = Just(9).setFailureType(to: (any Error).self).flatMap { Just($0).setFailureType(to: (any Error).self) }
      .mapError { _ in Failure() }.sink(receiveCompletion: { _ in }) { received.append($0) }
    _ = Fail<Int, any Error>(error: Failure()).mapError { _ in Failure() }
      .sink(receiveCompletion: { failures.append($0 == .failure(Failure())) }) { received.append($0) }
    #expect(received == [7, 8, 9] && failures == [true])
    _ = Empty<Int, Never>().sink(receiveCompletion: { _ in failures.append(true) }) { received.append($0) }
    #expect(failures == [true, true])
  }

  /// An object of which a test sees the release.
  private final class Token: Sendable {}
  private struct Tokens {
    private struct Reference { weak var token: Token? }
    private var references: [Reference] = []
    var count: Int { references.count { $0.token != nil } }

    mutating func make() -> Token {
      let token = Token()
      references.append(Reference(token: token))
      return token
    }
  }

  @Test func flatMapKeepsNoPublisherThatHasFinished() {
    let subject = PassthroughSubject<Int, Never>()
    var tokens = Tokens()
    var received = 0
    let subscription = subject.flatMap { value in
      let token = tokens.make()
      return Just(value).map { received in
        withExtendedLifetime(token) {}
        return received
      }
    }.sink { received += $0 }
    for _ in 0..<100 { subject.send(1) }
    #expect(received == 100 && tokens.count == 0)
    subscription.cancel()
  }

  @Test func flatMapRunsNoMorePublishersThanItsLimit() {
    var inner: [PassthroughSubject<String, Never>] = []
    var received: [String] = []
    var ends = 0
    func sink(_ values: some Publisher<Int, Never>, _ limit: Subscribers.Demand) -> AnyCancellable {
      values.flatMap(maxPublishers: limit) { value in
        inner.append(PassthroughSubject())
        return inner[inner.count - 1].map { "\(value)\($0)" }
      }.sink(receiveCompletion: { _ in ends += 1 }) { received.append($0) }
    }
    // A sequence waits, also behind other operators.
    let sequence = sink([1, 2, 3].publisher.map { $0 * 10 }, .max(2))
    #expect(inner.count == 2)
    inner[1].send("a")
    inner[1].send(completion: .finished)
    #expect(inner.count == 3)
    inner[2].send("b")
    inner[0].send("c")
    inner[0].send(completion: .finished)
    #expect(ends == 0)
    inner[2].send(completion: .finished)
    #expect(received == ["20a", "30b", "10c"] && ends == 1)
    sequence.cancel()
    // A subject has no demand meanwhile: its values are dropped.
    (inner, received) = ([], [])
    let subject = PassthroughSubject<Int, Never>()
    let one = sink(subject, .max(1))
    subject.send(1)
    subject.send(2)
    inner[0].send(completion: .finished)
    subject.send(3)
    inner[1].send("d")
    #expect(received == ["3d"] && inner.count == 2)
    one.cancel()
    inner[1].send("e")
    #expect(received == ["3d"] && ends == 1)
    // Publishers that finish at once, as many as there are.
    var sum = 0
    _ = (1...1000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.sink { sum += $0 }
    #expect(sum == 500_500)
  }

  @Test func flatMapFailsWithOneOfItsPublishers() {
    struct Failure: Error {}
    let (outer, inner) = (PassthroughSubject<Int, Failure>(), PassthroughSubject<Int, Failure>())
    var ends: [Bool] = []
    var received: [Int] = []
    let subscription = outer.flatMap { _ in inner }.sink(
      receiveCompletion: { if case .failure = $0 { ends.append(true) } else { ends.append(false) } },
      receiveValue: { received.append($0) })
    outer.send(1)
    outer.send(2)
    inner.send(5)
    inner.send(completion: .failure(Failure()))
    outer.send(completion: .finished)
    #expect(received == [5, 5] && ends == [true])
    subscription.cancel()
  }

  @Test func debounceKeepsTheLastValueOnly() {
    let subject = PassthroughSubject<Token, Never>()
    var tokens = Tokens()
    let subscription = subject.debounce(for: .seconds(3600), scheduler: DispatchQueue(label: "scheduler"))
      .sink { _ in }
    for _ in 0..<10 { subject.send(tokens.make()) }
    #expect(tokens.count == 1)
    subscription.cancel()
  }

  @Test func aPropertyKeepsNoPublisherThatHasFinished() {
    let model = Model()
    var tokens = Tokens()
    for _ in 0..<10 {
      let token = tokens.make()
      model.take(
        Just("x").map { [token] in
          withExtendedLifetime(token) {}; return $0
        })
    }
    #expect(model.name == "x" && tokens.count == 0)
    let subject = PassthroughSubject<String, Never>()
    weak var gone: Token?
    do {
      let model = Model()
      let token = tokens.make()
      gone = token
      model.take(
        subject.map { [token] in
          withExtendedLifetime(token) {}; return $0
        })
    }
    #expect(gone == nil)
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

    func take(_ names: some Publisher<String, Never>) { names.assign(to: &$name) }
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
