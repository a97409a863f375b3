import TestSupport

@testable import AppleFoundation

extension UserDefaults {
  /// An observable property as apps declare it, without `@objc dynamic`.
  fileprivate var isSharing: Bool { bool(forKey: "isSharing") }

  /// A property whose getter runs an action of a test.
  fileprivate var isSharingAndCallsBack: Bool {
    isCallingBack.withLock(\.self)?.call(self)
    return isSharing
  }
}

private let isCallingBack = Mutex<Callback<@Sendable (UserDefaults) -> Void>?>(nil)

@Suite struct UserDefaultsTests {
  /// A separate group for each test, because all tests of a process share the defaults of a group.
  private let group = "group.com.example.test-\(UInt32.random(in: 0...UInt32.max))"

  private var folder: URL {
    get throws {
      try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
    }
  }

  private func withDefaults(_ body: (UserDefaults, KeyValueFile) throws -> Void) throws {
    let folder = try folder
    defer { try? FileManager.default.removeItem(at: folder) }
    let defaults = try #require(UserDefaults(suiteName: group))
    let file = KeyValueFile(folder: folder.path + "/Library/Preferences", name: "\(group).plist")
    try body(defaults, file)
  }

  @Test func keepsValuesInTheFileOfTheGroup() throws {
    try withDefaults { defaults, file in
      defaults.set(5, forKey: "count")
      defaults.set(true, forKey: "flag")
      defaults.set("text", forKey: "name")
      defaults.set([1.5, 2], forKey: "list")
      defaults.set(Data([1]), forKey: "data")
      defaults.setValue("gone", forKey: "gone")
      #expect(defaults.value(forKey: "gone") as? String == "gone")
      defaults.setValue(nil, forKey: "gone")
      #expect((defaults.integer(forKey: "count"), defaults.bool(forKey: "flag")) == (5, true))
      #expect(defaults.string(forKey: "name") == "text")
      #expect(defaults.array(forKey: "list") as? [Double] == [1.5, 2])
      #expect(defaults.data(forKey: "data") == Data([1]) && defaults.object(forKey: "gone") == nil)
      let keys = Set(try file.values().keys)
      #expect(keys == ["count", "flag", "name", "list", "data"])
    }
  }

  @Test func readsWhatAnotherProcessHasWritten() throws {
    try withDefaults { defaults, file in
      defaults.register(defaults: ["other": true, "mine": 3])
      #expect(defaults.bool(forKey: "other"))
      try file.set(false, forKey: "other")
      #expect((defaults.bool(forKey: "other"), defaults.integer(forKey: "mine")) == (false, 3))
    }
  }

  /// Returns the number of change notifications during `body`: on this thread, and in total.
  private func notifications(
    of defaults: UserDefaults, _ body: () throws -> Void
  ) rethrows -> (here: Int, all: Int) {
    let counts = Mutex((here: 0, all: 0))
    let thread = ObjectIdentifier(Thread.current)
    let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: defaults, queue: nil
    ) { _ in
      let isHere = ObjectIdentifier(Thread.current) == thread
      counts.withLock { $0 = ($0.here + (isHere ? 1 : 0), $0.all + 1) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
    return counts.withLock(\.self)
  }

  @Test func aChangeByAnotherProcessIsObservedAndNotNotified() throws {
    try withDefaults { defaults, file in
      let isObserved = DispatchSemaphore(value: 0)
      let observation = defaults.observe(\.isSharing, options: [.new]) { _, change in
        if change.newValue == true { isObserved.signal() }
      }
      let counts = try notifications(of: defaults) {
        try file.set(true, forKey: "isSharing")
        #expect(isObserved.wait(timeout: .now() + 60) == .success)
        // By then, the notifications that the change posts on the main queue have arrived.
        DispatchQueue.main.sync {}
      }
      observation.invalidate()
      #expect(counts == (0, 0))
    }
  }

  @Test func anOwnChangeIsNotifiedOnItsThread() throws {
    try withDefaults { defaults, _ in
      let counts = notifications(of: defaults) {
        defaults.set(true, forKey: "isSharing")
        defaults.removeObject(forKey: "isSharing")
        DispatchQueue.main.sync {}
      }
      #expect(counts == (2, 2))
    }
  }

  @Test func anOwnChangeOfPrivateDefaultsIsNotified() throws {
    let defaults = try #require(AppGroupDefaults(nil))
    #expect(notifications(of: defaults) { defaults.set(1, forKey: "count") } == (1, 1))
  }

  /// Linux allows a user 128 instances of inotify.
  @Test func twoHundredGroupsHaveDefaultsThatAreReleasedWithTheirFolders() async throws {
    let groups = (0..<200).map { "\(group)-\($0)" }
    let folders = groups.compactMap {
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
    }
    func remove() { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
    defer { remove() }
    weak var last: UserDefaults?
    for group in groups {
      let defaults = try #require(UserDefaults(suiteName: group))
      last = defaults
    }
    let isObserved = DispatchSemaphore(value: 0)
    let observation = last?.observe(\.isSharing) { _, _ in isObserved.signal() }
    let preferences = try #require(folders.last).path + "/Library/Preferences"
    try KeyValueFile(folder: preferences, name: "\(groups[199]).plist").set(true, forKey: "isSharing")
    #expect(wait(for: isObserved) == .success)
    observation?.invalidate()
    remove()
    #expect(await eventually { last == nil })
  }

  private func wait(for semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
    semaphore.wait(timeout: .now() + 60)
  }

  @Test func callsTheObserverOfAPropertyForChangesOnly() throws {
    try withDefaults { defaults, _ in
      let changes = Mutex<[[Bool?]]>([])
      let observation = defaults.observe(\.isSharing, options: [.old, .new]) { _, change in
        changes.withLock { $0.append([change.oldValue, change.newValue]) }
      }
      defaults.set(true, forKey: "isSharing")
      defaults.set(1, forKey: "other")
      defaults.set(false, forKey: "isSharing")
      observation.invalidate()
      defaults.set(true, forKey: "isSharing")
      #expect(changes.withLock(\.self) == [[false, true], [true, false]])
    }
  }

  @Test func aFurtherCallComesBeforeThatOfAChangeOnRequest() throws {
    try withDefaults { defaults, _ in
      let changes = Mutex<[[Bool?]]>([])
      let observation = defaults.observe(\.isSharing, options: [.old, .new, .prior]) { _, change in
        changes.withLock { $0.append([change.isPrior, change.oldValue, change.newValue]) }
      }
      defaults.set(true, forKey: "isSharing")
      observation.invalidate()
      #expect(changes.withLock(\.self) == [[true, false, nil], [false, false, true]])
    }
  }

  /// The file watcher may run on the main queue before `set` has returned.
  @Test @MainActor func aChangeIsReportedByTheThreadThatMakesIt() {
    let changes = DefaultsChanges()
    let state = Mutex((value: 0, last: 0, reports: [Int]()))
    let remove = changes.add { isCurrent in
      let new = state.withLock { $0.value }
      guard isCurrent(), new != state.withLock({ $0.last }) else { return nil }
      state.withLock { $0.last = new }
      return { state.withLock { $0.reports.append(new) } }
    }
    changes.make {
      state.withLock { $0.value = 1 }
      changes.noteChangeOfFile()
      #expect(state.withLock { $0.reports }.isEmpty)
    }
    #expect(state.withLock { $0.reports } == [1])
    // A change by another process: the file watcher reports it on the main queue.
    state.withLock { $0.value = 2 }
    changes.noteChangeOfFile()
    #expect(state.withLock { $0.reports } == [1, 2])
    remove()
  }

  @Test func theObserverOfAKeyDistinguishesValuesOfTheSameDescription() throws {
    try withDefaults { defaults, _ in
      let observer = Observer()
      unsafe defaults.addObserver(observer, forKeyPath: "count", options: [.new], context: nil)
      for value in ["1", 1, ["a": [1, 2]], ["a": [1, 2]]] as [Any] { defaults.set(value, forKey: "count") }
      defaults.removeObject(forKey: "count")
      defaults.removeObserver(observer, forKeyPath: "count")
      defaults.set("b", forKey: "count")
      #expect(observer.values.count == 4 && observer.values.last as? NSNull != nil)
    }
  }

  @Test func aGetterMayChangeAnotherValueOnAnotherThread() throws {
    try withDefaults { defaults, _ in
      let calls = Atomic(0)
      isCallingBack.withLock { action in
        action = Callback { defaults in
          guard calls.add(1, ordering: .relaxed).newValue == 2 else { return }
          let changed = DispatchSemaphore(value: 0)
          nonisolated(unsafe) let defaults = defaults
          Thread.detachNewThread {
            unsafe defaults.set(1, forKey: "other")
            changed.signal()
          }
          #expect(changed.wait(timeout: .now() + 60) == .success)
        }
      }
      defer { isCallingBack.withLock { $0 = nil } }
      let changes = Atomic(0)
      let observation = defaults.observe(\.isSharingAndCallsBack) { _, _ in
        changes.add(1, ordering: .relaxed)
      }
      defaults.set(true, forKey: "isSharing")
      #expect(changes.load(ordering: .relaxed) == 1)
      observation.invalidate()
    }
  }

  private final class Observer: KeyValueObserver {
    var values: [Any?] = []
    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      values.append(change?[.newKey])
    }
  }

  @Test func leavesOtherNamesToFoundation() throws {
    let name = "other-\(UInt32.random(in: 0...UInt32.max))"
    let defaults = try #require(UserDefaults(suiteName: name))
    #expect(!(defaults is AppGroupDefaults))
  }

  @Test func saysThatTheChangesOfOtherNamesAreNotObserved() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let defaults = try #require(UserDefaults(suiteName: "other"))
      withExtendedLifetime(defaults.observe(\.isSharing) { _, _ in }) {}
      let observer = Observer()
      unsafe defaults.addObserver(observer, forKeyPath: "count", context: nil)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.components(separatedBy: "are not observed").count == 3)
  }
}
