import Combine
import TestSupport

@Suite struct PublisherTests {
  @Test func theLatestValuesOfTwoPublishersAreCombined() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var pairs: [String] = []
    var ends = 0
    let subscription = first.combineLatest(second).sink(receiveCompletion: { _ in ends += 1 }) {
      pairs.append("\($0)\($1)")
    }
    first.send(1)
    second.send(2)
    first.send(3)
    first.send(completion: .finished)
    second.send(4)
    #expect(pairs == ["12", "32", "34"] && ends == 0)
    second.send(completion: .finished)
    #expect(ends == 1)
    subscription.cancel()
  }

  @Test func onlyTheFirstValueComes() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    var ends = 0
    let subscription = AnyPublisher(subject).first().sink(receiveCompletion: { _ in ends += 1 }) {
      received.append($0)
    }
    for value in 1...3 { subject.send(value) }
    #expect(received == [1] && ends == 1)
    subscription.cancel()
  }

  /// An object whose release a test can detect.
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
    let clock = ContinuousClock()
    let start = clock.now
    let subject = PassthroughSubject<Int, Never>()
    let received = Mutex<[Int]>([])
    let queue = DispatchQueue(label: "scheduler")
    let subscription = subject.throttle(for: .milliseconds(50), scheduler: queue, latest: true).sink {
      value in
      received.withLock { $0.append(value) }
    }
    for value in 1...5 { subject.send(value) }
    let sending = clock.now - start
    #expect(await eventually { received.withLock { $0.contains(5) } })
    // Each 50 ms of an overloaded host between the five values let one more pass.
    let throttled = received.withLock(\.self)
    #expect(throttled.first == 1 && throttled.last == 5)
    #expect(throttled.count <= 2 + Int(sending / .milliseconds(50)))
    subscription.cancel()
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
