import TestSupport

@testable import AppleFoundation

/// An observer as apps implement it: it registers a pointer to itself, and a callback that captures nothing.
private final class Observer: Sendable {
  let received = Recorder<String>()

  func observe(_ name: String, at center: CFNotificationCenter) {
    // UNSAFE: in these tests the observer outlives its registration.
    unsafe CFNotificationCenterAddObserver(
      center, pointer,
      { _, observer, name, object, userInfo in
        #expect(unsafe object == nil && userInfo == nil)
        dispatchPrecondition(condition: .onQueue(.main))
        guard let observer = unsafe observer, let name else { return }
        unsafe Unmanaged<Observer>.fromOpaque(observer).takeUnretainedValue().received.add(name.rawValue)
      }, name as CFString, nil, .deliverImmediately)
  }

  var pointer: UnsafeRawPointer { unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}

@MainActor @Suite struct CFNotificationCenterTests {
  private let root = TemporaryFolder.ofSuite()
  private let center: CFNotificationCenter

  init() { center = CFNotificationCenter(root: root.path) }

  private func post(_ name: String, at center: CFNotificationCenter? = nil) {
    CFNotificationCenterPostNotification(
      center ?? self.center, CFNotificationName(name as CFString), nil, nil, true)
  }

  @Test func anObserverReceivesItsNameFromAnyCenterOfTheSameContainer() async throws {
    let observer = Observer()
    observer.observe("started", at: center)
    post("other")
    post("started", at: CFNotificationCenter(root: root.path))
    #expect(await eventually { observer.received.values == ["started"] })
    post("started")
    #expect(await eventually { observer.received.values == ["started", "started"] })
  }

  @Test func theOrderOfDifferentNamesIsKept() async throws {
    let observer = Observer()
    for name in ["finished", "started"] { observer.observe(name, at: center) }
    let names = ["started", "finished", "started"]
    for name in names { post(name) }
    #expect(await eventually { observer.received.values.count == 3 })
    #expect(observer.received.values == names)
  }

  @Test func aLostNotificationArrivesNeitherHereNorElsewhere() async throws {
    let (observer, other) = (Observer(), Observer())
    let elsewhere = CFNotificationCenter(root: root.path)
    observer.observe("a", at: center)
    for name in ["a", "end"] { other.observe(name, at: elsewhere) }
    center.delivery = .lost
    post("a")
    post("a", at: elsewhere)
    post("end", at: elsewhere)
    #expect(await eventually { other.received.values == ["a", "end"] })
    #expect(observer.received.values == [])
    center.delivery = .normal
    post("a")
    #expect(await eventually { observer.received.values == ["a"] })
  }

  @Test func aDoubledNotificationArrivesTwice() async throws {
    let observer = Observer()
    observer.observe("a", at: center)
    center.delivery = .doubled
    post("a", at: CFNotificationCenter(root: root.path))
    #expect(await eventually { observer.received.values == ["a", "a"] })
  }

  @Test func coalescedNotificationsOfANameArriveAsOne() async throws {
    let (observer, elsewhere) = (Observer(), CFNotificationCenter(root: root.path))
    for name in ["a", "b", "end"] { observer.observe(name, at: center) }
    center.delivery = .coalesced
    for name in ["a", "b", "a", "b", "a"] { post(name, at: elsewhere) }
    #expect(await eventually { observer.received.values.count == 2 })
    post("end", at: elsewhere)
    #expect(await eventually { observer.received.values == ["a", "b", "end"] })
    // Notifications that this process posts.
    let other = Observer()
    other.observe("c", at: elsewhere)
    for _ in 1...3 { post("c") }
    #expect(await eventually { other.received.values == ["c"] })
    center.delivery = .normal
    post("c")
    #expect(await eventually { other.received.values == ["c", "c"] })
  }

  @Test func unheardNotificationsFindNoObserverForASecond() async throws {
    let (observer, other) = (Observer(), Observer())
    let elsewhere = CFNotificationCenter(root: root.path)
    observer.observe("a", at: center)
    for name in ["b", "end"] { other.observe(name, at: elsewhere) }
    let start = ContinuousClock.now
    center.delivery = .unheard
    // Incoming and posted notifications are lost until the second is over.
    #expect(
      await eventually {
        post("a", at: elsewhere)
        post("b")
        return !observer.received.values.isEmpty && !other.received.values.isEmpty
      })
    #expect(ContinuousClock.now - start >= CFNotificationCenter.unheardTime)
  }

  @Test func aLateNotificationArrivesASecondLater() async throws {
    let (observer, elsewhere) = (Observer(), CFNotificationCenter(root: root.path))
    observer.observe("a", at: elsewhere)
    let start = ContinuousClock.now
    center.delivery = .late
    post("a")
    #expect(await eventually { observer.received.values == ["a"] })
    #expect(ContinuousClock.now - start >= CFNotificationCenter.lateness)
    withExtendedLifetime(elsewhere) {}
  }

  @Test func anotherContainerIsAnotherDevice() async throws {
    let elsewhere = try TemporaryFolder()
    let observer = Observer()
    observer.observe("started", at: center)
    observer.observe("end", at: center)
    post("started", at: CFNotificationCenter(root: elsewhere.path))
    post("end")
    #expect(await eventually { !observer.received.values.isEmpty })
    #expect(observer.received.values == ["end"])
  }

  @Test func aRemovedObserverReceivesNothing() async throws {
    let (observer, witness) = (Observer(), Observer())
    for name in ["a", "b"] { observer.observe(name, at: center) }
    witness.observe("end", at: center)
    // UNSAFE: the addresses are only compared.
    unsafe CFNotificationCenterRemoveObserver(center, observer.pointer, CFNotificationName("a"), nil)
    for name in ["a", "b", "end"] { post(name) }
    #expect(await eventually { witness.received.values == ["end"] })
    #expect(observer.received.values == ["b"])
    unsafe CFNotificationCenterRemoveEveryObserver(center, observer.pointer)
    for name in ["a", "b", "end"] { post(name) }
    #expect(await eventually { witness.received.values == ["end", "end"] })
    #expect(observer.received.values == ["b"])
  }

  @Test func thereIsOneDarwinCenter() {
    #expect(CFNotificationCenterGetDarwinNotifyCenter() === CFNotificationCenterGetDarwinNotifyCenter())
  }

  @Test func observingWithoutANameDoesNothing() {
    // UNSAFE: the center keeps nothing.
    unsafe CFNotificationCenterAddObserver(center, nil, { _, _, _, _, _ in }, nil, nil, .drop)
    CFNotificationCenterPostNotification(center, nil, nil, nil, false)
    #expect(root.names.isEmpty)
  }
}
