import Dispatch
import Platform
import Synchronization

// Models CoreFoundation/CFNotificationCenter.h for the Darwin notification center.

/// The name of a notification.
public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
  /// The name as a string.
  public var rawValue: CFString

  /// Creates a name from a string.
  public init(rawValue: CFString) { self.rawValue = rawValue }

  /// Creates a name from a string.
  public init(_ rawValue: CFString) { self.rawValue = rawValue }
}

/// The callback of an observer, with the center, the observer and the name; object and information are `nil`.
///
/// Core Foundation takes a C function, whose closure must not capture anything; the stand-in does not check that.
public typealias CFNotificationCallback = (
  CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// The delivery of notifications to a suspended app. The Darwin center ignores it.
public enum CFNotificationSuspensionBehavior: CFIndex, Sendable {
  /// Notifications are dropped.
  case drop = 1
  /// The last notification of each name is delivered later.
  case coalesce = 2
  /// Notifications are delivered later.
  case hold = 3
  /// Notifications are delivered immediately.
  case deliverImmediately = 4
}

/// The Darwin notification center, which carries notifications between processes.
///
/// It connects the processes of one user that share a container: `$BROADCAST_CONTAINER`, or the default one. Observers are
/// called on the main queue. Posts in quick succession may arrive as one.
public final class CFNotificationCenter: Sendable {
  static let darwinNotifyCenter = CFNotificationCenter(root: AppGroupRoot.standard().path)

  /// The folder below the root that carries the notifications.
  package static let folder = "DarwinNotifications"

  private let root: String
  private let state = Mutex(State())

  private struct State: Sendable {
    var observers: [Observer] = []
    var nextID: UInt64 = 0
    var listener: Listener?
  }

  /// Creates a center for the processes that share `root`.
  package init(root: String) { self.root = root }

  func add(_ address: UInt, name: String, _ callback: @escaping CFNotificationCallback) {
    let callback = unsafe Callback(callback)
    do {
      try state.withLock { state throws(StorageError) in
        if state.listener == nil {
          state.listener = Listener(
            try NamedSignals(root: root, folder: Self.folder), onPosts: { [weak self] in self?.deliver($0) })
        }
        state.nextID += 1
        state.observers.append(
          Observer(id: state.nextID, address: address, name: name, callback: callback))
      }
    } catch {
      NSLog("%@", "Notifications named \(name) cannot be observed: \(error)")
    }
  }

  func remove(_ address: UInt, name: String?) {
    state.withLock { state in
      state.observers.removeAll { $0.address == address && (name == nil || $0.name == name) }
    }
  }

  func post(_ name: String) {
    do { try NamedSignals.post(name, root: root, folder: Self.folder) } catch {
      NSLog("%@", "The notification \(name) cannot be posted: \(error)")
    }
  }

  /// Calls the observers of posted names, on the main queue, except those that another observer has removed.
  private func deliver(_ posts: NamedSignals.Posts) {
    let observers = state.withLock { $0.observers }
    let called =
      posts.isIncomplete
      ? observers : posts.fileNames.flatMap { name in observers.filter { $0.fileName == name } }
    for observer in called {
      let isObserving = state.withLock { state in state.observers.contains { $0.id == observer.id } }
      // UNSAFE: the observer gets its own address back; the center does not access it.
      if isObserving {
        unsafe observer.callback.function(
          self, UnsafeMutableRawPointer(bitPattern: observer.address), CFNotificationName(observer.name), nil,
          nil)
      }
    }
  }

  private struct Observer: Sendable {
    let id: UInt64
    let address: UInt
    let name: String
    let callback: Callback

    var fileName: String { NamedSignals.fileName(for: name) }
  }

  /// A callback. Unchecked `Sendable`: it models a C function, which has no state.
  // UNSAFE: the parameters are Core Foundation's, which are pointers.
  @safe private struct Callback: @unchecked Sendable {
    let function: CFNotificationCallback
    init(_ function: @escaping CFNotificationCallback) { unsafe self.function = function }
  }

  /// Receives posts as long as it exists. Unchecked `Sendable`: its dispatch source is constant and thread-safe.
  private final class Listener: @unchecked Sendable {
    private let source: any DispatchSourceRead

    init(_ signals: NamedSignals, onPosts: @escaping @Sendable (NamedSignals.Posts) -> Void) {
      source = DispatchSource.makeReadSource(fileDescriptor: signals.fileDescriptor, queue: .main)
      source.setEventHandler {
        do { onPosts(try signals.take()) } catch {
          NSLog("%@", "Notifications are no longer received: \(error)")
        }
      }
      source.activate()
    }

    deinit { source.cancel() }
  }
}

/// Returns the notification center of the processes that share this container. A device has one for all processes.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwinNotifyCenter }

/// Adds an observer, whose `callBack` is called on the main queue when any process posts `name`.
///
/// The Darwin center ignores object and suspension behaviour, and a call without a name.
public func CFNotificationCenterAddObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
  _ name: CFString!, _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
  guard let center, let callBack = unsafe callBack, let name else { return }
  // UNSAFE: the address is stored as a number.
  unsafe center.add(UInt(bitPattern: observer), name: name, callBack)
}

/// Removes the observer of `name`, or of all names without one.
public func CFNotificationCenterRemoveObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
  _ object: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: name?.rawValue)
}

/// Removes the observer of all names.
public func CFNotificationCenterRemoveEveryObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: nil)
}

/// Posts `name` to all processes, this one included. The Darwin center ignores object and information.
public func CFNotificationCenterPostNotification(
  _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
  _ userInfo: CFDictionary!, _ deliverImmediately: Bool
) {
  guard let center, let name else { return }
  center.post(name.rawValue)
}
