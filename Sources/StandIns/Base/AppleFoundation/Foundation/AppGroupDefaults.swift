import EmulatedDevice
import Foundation
import Platform
import Synchronization

/// The defaults of an app group, in the property list of its folder. If the entitlements do not grant the group, the
/// values belong to this object only.
final class AppGroupDefaults: UserDefaults {
  let changes = DefaultsChanges()
  private let file: KeyValueFile?
  /// The values if there is no file.
  private let own = Mutex<[String: Registered]>([:])
  private let registered = Mutex<[String: Registered]>([:])
  private let observations = Mutex<[String: Observation]>([:])

  // Unchecked `Sendable`: values of property lists, which are not changed.
  private struct Registered: @unchecked Sendable { let value: Any }
  private struct Observation: @unchecked Sendable { let value: NSKeyValueObservation }

  private struct Instances: @unchecked Sendable { var groups: [String: AppGroupDefaults] = [:] }
  private static let instances = Mutex(Instances())

  /// Returns the defaults of a group. They exist as long as its folder. If the folder cannot be used, logs the reason
  /// and returns `nil`.
  static func shared(for group: String) -> AppGroupDefaults? {
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    else { return nil }
    let path = folder.path + "/Library/Preferences"
    do {
      try PrivateFolder.prepare(path)
      return try instances.withLock { instances -> UncheckedBox<AppGroupDefaults>? in
        if let known = instances.groups[path] { return UncheckedBox(known) }
        let name = "\(group).plist"
        guard let new = AppGroupDefaults(KeyValueFile(folder: path, name: name)) else { return nil }
        let file = DefaultsFolders.File(name: name, folder: path, changes: new.changes) {
          _ = Self.instances.withLock { $0.groups.removeValue(forKey: path).map(UncheckedBox.init) }
        }
        try DefaultsFolders.watch(file, in: path)
        instances.groups[path] = new
        return UncheckedBox(new)
      }?.value
    } catch {
      NSLog("%@", "The defaults of \(group) cannot be used: \(error)")
      return nil
    }
  }

  init?(_ file: KeyValueFile?) {
    self.file = file
    // Foundation's values are not used.
    super.init(suiteName: nil as String?)
  }

  override func object(forKey defaultName: String) -> Any? {
    dictionaryRepresentation()[defaultName]
  }

  override func set(_ value: Any?, forKey defaultName: String) {
    if let value, !PropertyListSerialization.propertyList(value, isValidFor: .xml) {
      NSLog("%@", "The value of \(defaultName) is not kept: a property list cannot hold it.")
      return
    }
    let kept = value.map { Registered(value: $0) }
    var isKept = false
    let change = { [self] in
      do throws(FileError) {
        try file?.update { values in
          values[defaultName] = kept?.value
          return true
        }
        if file == nil { own.withLock { $0[defaultName] = kept } }
        isKept = true
      } catch {
        NSLog("%@", "The value of \(defaultName) is not kept: \(error)")
      }
    }
    // In a test, the extension runs in this process too. It receives this change as a change by another process.
    if Device.isApp {
      change()
      return Device.current.enqueue(.main) { [changes] in changes.noteChangeOfFile() }
    }
    changes.make(change)
    if isKept { NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self) }
  }

  override func removeObject(forKey defaultName: String) { set(nil as Any?, forKey: defaultName) }

  override func register(defaults registrationDictionary: [String: Any]) {
    let new = registrationDictionary.mapValues { Registered(value: $0) }
    registered.withLock { $0.merge(new) { $1 } }
  }

  override func dictionaryRepresentation() -> [String: Any] {
    let registered = registered.withLock(\.self).mapValues(\.value)
    do throws(FileError) {
      return registered.merging(try file?.values() ?? own.withLock(\.self).mapValues(\.value)) { $1 }
    } catch {
      NSLog("%@", "The defaults cannot be read: \(error)")
      return registered
    }
  }

  /// Does nothing: each change is written at once.
  override func synchronize() -> Bool { true }

  /// Keeps an observation until it is replaced by `nil`.
  func keep(_ observation: NSKeyValueObservation?, for observer: AnyObject, _ keyPath: String) {
    let key = "\(ObjectIdentifier(observer)) \(keyPath)"
    let value = observation.map { Observation(value: $0) }
    let old = observations.withLock { observations in
      defer { observations[key] = value }
      return observations[key]
    }
    old?.value.invalidate()
  }
}

/// The observers of the changes of defaults.
final class DefaultsChanges: @unchecked Sendable {
  // Unchecked `Sendable`: as in Foundation, an action runs on the thread that changes a value.

  /// Compares the values with the values that were reported last. Returns a closure that reports the difference; `nil`
  /// if they are equal. A comparison is discarded unless `isCurrent` holds after the values were read.
  typealias Comparison = (_ isCurrent: () -> Bool) -> (() -> Void)?

  private struct State: @unchecked Sendable {
    var byID: [(id: Int, compare: Comparison)] = []
    var nextID = 0
    /// The number of changes that this process has begun, and of those that are not compared yet.
    var begun = 0
    var running = 0
    /// Whether the file changed during a change by this process.
    var hasMissed = false
  }

  private let state = Mutex(State())

  /// Adds a comparison. Returns a closure that removes it.
  func add(_ compare: @escaping Comparison) -> () -> Void {
    nonisolated(unsafe) let compare = compare
    let id = state.withLock { state in
      state.nextID += 1
      state.byID.append((state.nextID, unsafe compare))
      return state.nextID
    }
    return { [weak self] in self?.state.withLock { $0.byID.removeAll { $0.id == id } } }
  }

  /// Runs a change by this process, and reports it on this thread, outside of the lock.
  func make(_ change: () -> Void) {
    state.withLock { state in
      (state.begun, state.running) = (state.begun + 1, state.running + 1)
    }
    change()
    let reports = compare { true }
    let hasMissed = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return false }
      defer { state.hasMissed = false }
      return state.hasMissed
    }
    for report in reports { report() }
    // Another process may have changed the file after the comparison.
    if hasMissed { DispatchQueue.main.async { [self] in noteChangeOfFile() } }
  }

  /// Reports changes by other processes. The thread that makes a change in this process reports it itself.
  func noteChangeOfFile() {
    let begun: Int? = state.withLock { state in
      state.hasMissed = state.running > 0
      return state.running > 0 ? nil : state.begun
    }
    guard let begun else { return }
    for report in compare({ state.withLock { $0.begun == begun } }) { report() }
  }

  private func compare(_ isCurrent: () -> Bool) -> [() -> Void] {
    state.withLock(\.self).byID.compactMap { $0.compare(isCurrent) }
  }
}
