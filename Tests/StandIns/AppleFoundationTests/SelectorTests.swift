import AppleFoundation
import TestSupport

/// Tests methods that are called on a target by selector.
@Suite struct SelectorTests {
  private static let name = Notification.Name("SelectorTests")

  private final class Target: NSObject, @unchecked Sendable {
    var calls: [String] = []
    func plain() { calls.append("plain") }
    func timed(_ timer: Timer) { calls.append("timed \(timer.isValid)") }
    func noted(_ notification: Notification) { calls.append("noted \(notification.name.rawValue)") }
    func counted(_ number: Int) -> Int {
      calls.append("counted \(number)")
      return number
    }
  }

  @Test func aNotificationCallsTheMethodUntilItsObserverIsRemoved() {
    let center = NotificationCenter()
    let target = Target()
    let object = NSObject()
    center.addObserver(target, selector: Selector(Target.noted(_:)), name: Self.name, object: nil)
    center.addObserver(target, selector: Selector(Target.plain), name: Self.name, object: object)
    center.post(name: Self.name, object: nil)
    #expect(target.calls == ["noted SelectorTests"])
    center.post(name: Self.name, object: object)
    #expect(target.calls.count == 3)
    center.removeObserver(target, name: Self.name, object: object)
    center.post(name: Self.name, object: object)
    #expect(target.calls.count == 4)
    center.removeObserver(target)
    center.post(name: Self.name, object: object)
    #expect(target.calls.count == 4)
  }

  @Test func anObserverIsNotKept() {
    let center = NotificationCenter()
    weak var left: Target?
    do {
      let target = Target()
      left = target
      center.addObserver(target, selector: Selector(Target.plain), name: Self.name, object: nil)
    }
    #expect(left == nil)
    center.post(name: Self.name, object: nil)
  }

  @Test func theTokenOfABlockIsStillRemoved() {
    let center = NotificationCenter()
    let target = Target()
    let token = center.addObserver(forName: Self.name, object: nil, queue: nil) { [weak target] _ in
      target?.plain()
    }
    center.post(name: Self.name, object: nil)
    center.removeObserver(token)
    center.post(name: Self.name, object: nil)
    #expect(target.calls == ["plain"])
  }

  /// An argument of another type is not passed.
  @Test func aTimerCallsTheMethodWithItself() {
    let target = Target()
    for selector in [Selector(Target.timed(_:)), Selector(Target.counted(_:))] {
      Timer(timeInterval: 1, target: target, selector: selector, userInfo: nil, repeats: false).fire()
    }
    #expect(target.calls == ["timed true"])
  }

  @Test func aThreadCallsTheMethodWithItsObject() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      final class Worker: NSObject {
        let done: (Int) -> Void
        init(_ done: @escaping (Int) -> Void) { self.done = done }
        func work(_ number: Int) { done(number) }
      }
      let worker = Worker { number in
        #expect(number == 7)
        continuation.resume()
      }
      Thread(target: worker, selector: Selector(Worker.work(_:)), object: 7).start()
    }
  }

  @Test func anObjectRespondsToItsMethodsAndToNoName() {
    final class Counter: NSObject {
      var count = 0
      func add(_ number: Int) { count += number }
    }
    let (counter, add) = (Counter(), Selector(Counter.add(_:)))
    #expect(counter.responds(to: add) && !NSObject().responds(to: add))
    unsafe counter.perform(add, with: 2)
    let name = NSSelectorFromString("add:")
    #expect(!counter.responds(to: name))
    unsafe counter.perform(name, with: 2)
    #expect(counter.count == 2)
  }
}
