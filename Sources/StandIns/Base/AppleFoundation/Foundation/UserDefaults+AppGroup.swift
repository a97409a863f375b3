import Foundation
import Platform
import Synchronization

// Models the part of NSUserDefaults.h and NSKeyValueObserving.h that an app and its extension use to share values.

extension UserDefaults: DefaultsFactory {
  /// Creates the defaults of an app group, shared by the processes that use it; for other names, Foundation's defaults.
  /// If the entitlements do not grant the group, its defaults are private to the process.
  ///
  /// The values are in the property list `Library/Preferences/<group>.plist` of the group's folder, and are read at
  /// each access. A change by this process posts `UserDefaults.didChangeNotification` on the thread that makes the
  /// change. As on a device, a change by another process does not; ``observe(_:options:changeHandler:)`` reports both.
  public convenience init?(suiteName: String) {
    let defaults: UserDefaults? =
      if !AppGroupRoot.isGroupID(suiteName) {
        UserDefaults(suiteName: suiteName as String?)
      } else if AppGroupEntitlements.allow(suiteName) {
        AppGroupDefaults.shared(for: suiteName)
      } else {
        AppGroupDefaults(nil)
      }
    guard let defaults else { return nil }
    self.init(of: { defaults })
  }

  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// On Apple's platforms the property is `@objc dynamic`; here it is a plain property in an extension of
  /// `UserDefaults`. A change by this process is reported at once, a change by another process on the main queue.
  public func observe<Value>(
    _ keyPath: KeyPath<UserDefaults, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (UserDefaults, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observe(options, value: { $0[keyPath: keyPath] }) { defaults, old, new, isPrior in
      changeHandler(
        defaults,
        NSKeyValueObservedChange(
          newValue: options.contains(.new) && !isPrior ? new : nil,
          oldValue: options.contains(.old) ? old : nil, isPrior: isPrior))
    }
  }

  public func addObserver(
    _ observer: some KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    let observation = observe(options, value: { $0.object(forKey: keyPath) }) {
      [weak observer] defaults, old, new, isPrior in
      var change: [NSKeyValueChangeKey: Any] = [:]
      if isPrior { change[.notificationIsPriorKey] = true }
      if options.contains(.new), !isPrior { change[.newKey] = new ?? NSNull() }
      if options.contains(.old) { change[.oldKey] = old ?? NSNull() }
      // UNSAFE: the observer gets its own pointer back.
      unsafe observer?.observeValue(forKeyPath: keyPath, of: defaults, change: change, context: context)
    }
    (self as? AppGroupDefaults)?.keep(observation, for: observer, keyPath)
  }

  public func removeObserver(_ observer: some KeyValueObserver, forKeyPath keyPath: String) {
    (self as? AppGroupDefaults)?.keep(nil, for: observer, keyPath)
  }

  public func removeObserver(
    _ observer: some KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    removeObserver(observer, forKeyPath: keyPath)
  }

  /// Calls `changed` with the old and the new value if they differ. With the option `prior`, calls it twice, the first
  /// time with `isPrior`.
  private func observe<Value>(
    _ options: NSKeyValueObservingOptions, value: @escaping (UserDefaults) -> Value,
    changed: @escaping (UserDefaults, Value?, Value, _ isPrior: Bool) -> Void
  ) -> NSKeyValueObservation {
    let last = LastValue(value(self))
    if options.contains(.initial) { changed(self, nil, last.value, false) }
    guard let defaults = self as? AppGroupDefaults else {
      NSLog(
        "%@", "Changes of these defaults are not observed. Only defaults of an app group ('group.NAME') are.")
      return NSKeyValueObservation(nil)
    }
    return NSKeyValueObservation(
      defaults.changes.add { [weak self] isCurrent in
        guard let self, let (old, new) = last.update(reading: { value(self) }, if: isCurrent) else {
          return nil
        }
        return {
          if options.contains(.prior) { changed(self, old, new, true) }
          changed(self, old, new, false)
        }
      })
  }
}

/// The last value that an observer has received.
private final class LastValue<Value> {
  private(set) var value: Value
  private var updates = 0
  // A change by this process and its notification may arrive on two threads.
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  /// Returns the last and the new value if they differ, and if `isCurrent` holds after the new value was read. The
  /// getter of a property runs outside of the lock, because it may change another value. If another thread has updated
  /// the value in the meantime, the getter runs again.
  func update(reading read: () -> Value, if isCurrent: () -> Bool) -> (old: Value, new: Value)? {
    while true {
      let seen = lock.withLock { updates }
      let new = read()
      guard isCurrent() else { return nil }
      let old: Value? = lock.withLock {
        guard updates == seen else { return nil }
        updates += 1
        defer { value = new }
        return .some(value)
      }
      guard let old else { continue }
      return areEqual(old, new) ? nil : (old, new)
    }
  }
}

/// Whether two values are equal, compared by their type or as values of a property list.
private func areEqual<Value>(_ old: Value, _ new: Value) -> Bool {
  if let old = old as? any Equatable { return old.isEqual(to: new) }
  return NSArray(array: [old]).isEqual(NSArray(array: [new]))
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

/// Lets an initialiser return an object of a subclass. In Swift only a protocol extension can do this.
public protocol DefaultsFactory {}

extension DefaultsFactory {
  init(of make: () -> UserDefaults) {
    guard let made = make() as? Self else { preconditionFailure("defaults of another class") }
    self = made
  }
}

/// An observer of values by their keys: a broadcast's handler. Apple has no such protocol.
public protocol KeyValueObserver: AnyObject {
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Here the prior call comes after the change, because another process may have made it.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

public struct NSKeyValueObservedChange<Value> {
  public let newValue: Value?
  public let oldValue: Value?
  public let isPrior: Bool
}

public final class NSKeyValueObservation {
  private let end: (() -> Void)?

  init(_ end: (() -> Void)?) { self.end = end }

  deinit { end?() }

  public func invalidate() { end?() }
}
