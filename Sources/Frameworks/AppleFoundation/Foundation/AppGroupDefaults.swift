import Foundation
import Platform
import Synchronization

/// The defaults of an app group, in the property list of its folder.
final class AppGroupDefaults: UserDefaults {
  let changes = DefaultsChanges()
  private let file: KeyValueFile
  private let registered = Mutex<[String: Registered]>([:])
  private let observations = Mutex<[String: Observation]>([:])
  private var source: (any DispatchSourceRead)?

  // Unchecked `Sendable`: values of property lists, which are not changed.
  private struct Registered: @unchecked Sendable { let value: Any }
  private struct Observation: @unchecked Sendable { let value: NSKeyValueObservation }

  private struct Instances: @unchecked Sendable { var groups: [String: AppGroupDefaults] = [:] }
  private static let instances = Mutex(Instances())

  /// Returns the defaults of a group, which stay; `nil` when its folder cannot be used, which is reported.
  static func shared(for group: String) -> AppGroupDefaults? {
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    else { return nil }
    let path = folder.path + "/Library/Preferences"
    do {
      try PrivateFolder.prepare(path)
      return try instances.withLock { instances -> Transferred? in
        if let known = instances.groups[path] { return Transferred(known) }
        guard let new = try AppGroupDefaults(KeyValueFile(folder: path, name: "\(group).plist")) else {
          return nil
        }
        instances.groups[path] = new
        return Transferred(new)
      }?.value
    } catch {
      NSLog("%@", "The defaults of \(group) cannot be used: \(error)")
      return nil
    }
  }

  private struct Transferred: @unchecked Sendable {
    let value: AppGroupDefaults
    init(_ value: AppGroupDefaults) { self.value = value }
  }

  private init?(_ file: KeyValueFile) throws {
    self.file = file
    // Foundation's own values are not used.
    super.init(suiteName: nil as String?)
    let watch = try FileWatch(path: file.path)
    let source = DispatchSource.makeReadSource(fileDescriptor: watch.fileDescriptor, queue: .main)
    source.setEventHandler { [changes, weak self] in
      guard watch.takeChanges() else { return }
      changes.notify()
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
    }
    source.activate()
    self.source = source
  }

  override func object(forKey defaultName: String) -> Any? {
    dictionaryRepresentation()[defaultName]
  }

  override func set(_ value: Any?, forKey defaultName: String) {
    if let value, !PropertyListSerialization.propertyList(value, isValidFor: .xml) {
      NSLog("%@", "The value of \(defaultName) is not kept: a property list cannot hold it.")
      return
    }
    nonisolated(unsafe) let value = value
    do throws(KeyValueFile.Failure) {
      try file.update { values in
        values[defaultName] = unsafe value
        return true
      }
    } catch {
      NSLog("%@", "The value of \(defaultName) is not kept: \(error)")
    }
    changes.notify()
  }

  override func removeObject(forKey defaultName: String) { set(nil as Any?, forKey: defaultName) }

  override func register(defaults registrationDictionary: [String: Any]) {
    let new = registrationDictionary.mapValues { Registered(value: $0) }
    registered.withLock { $0.merge(new) { $1 } }
  }

  override func dictionaryRepresentation() -> [String: Any] {
    let registered = registered.withLock(\.self).mapValues(\.value)
    do throws(KeyValueFile.Failure) {
      return registered.merging(try file.values()) { $1 }
    } catch {
      NSLog("%@", "The defaults cannot be read: \(error)")
      return registered
    }
  }

  /// The values are written at each change.
  override func synchronize() -> Bool { true }

  /// Keeps an observation until `nil` replaces it.
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
  // Unchecked `Sendable`: an action runs on the thread that changes a value, as with Foundation.

  private struct Actions: @unchecked Sendable {
    var byID: [(id: Int, action: () -> Void)] = []
    var nextID = 0
  }

  private let actions = Mutex(Actions())

  /// Adds an action. Returns what removes it.
  func add(_ action: @escaping () -> Void) -> () -> Void {
    nonisolated(unsafe) let action = action
    let id = actions.withLock { actions in
      actions.nextID += 1
      actions.byID.append((actions.nextID, unsafe action))
      return actions.nextID
    }
    return { [weak self] in self?.actions.withLock { $0.byID.removeAll { $0.id == id } } }
  }

  /// Runs all actions, outside of the lock.
  func notify() { for entry in actions.withLock(\.self).byID { entry.action() } }
}
