import Dispatch
import Platform
import SharedMemory
import Synchronization

/// A signed number of Core Foundation.
public typealias CFIndex = Int

/// What an observer does: it gets the center, itself, the name, and from this center no object and no information.
///
/// In Core Foundation it is a C function, so its closure may capture nothing; here that is not checked.
public typealias CFNotificationCallback = (
  CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// What becomes of notifications while an app is suspended. The Darwin center takes no notice of it.
public enum CFNotificationSuspensionBehavior: CFIndex, Sendable {
  /// They are dropped.
  case drop = 1
  /// The last of each name is delivered later.
  case coalesce = 2
  /// They are delivered later.
  case hold = 3
  /// They are delivered at once.
  case deliverImmediately = 4
}

/// A center of notifications; the one between processes, as the Darwin center is on a device.
///
/// It connects the processes of one user that have the same container: `$BROADCAST_CONTAINER`, or the default place.
/// Observers are called on the main queue. Posts that come close together may be told as one.
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

  /// A center of the processes that share `root`.
  package init(root: String) { self.root = root }

  func add(_ address: UInt, name: String, _ callback: @escaping CFNotificationCallback) {
    let callback = unsafe Callback(callback)
    do {
      try state.withLock { state throws(StorageError) in
        if state.listener == nil {
          state.listener = Listener(
            try NamedSignals(root: root, folder: Self.folder), onHeard: { [weak self] in self?.deliver($0) })
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

  /// Calls the observers of what was heard, on the main queue. One that another has removed is not called.
  private func deliver(_ heard: NamedSignals.Heard) {
    let observers = state.withLock { $0.observers }
    let called =
      heard.isIncomplete
      ? observers : heard.fileNames.flatMap { name in observers.filter { $0.fileName == name } }
    for observer in called {
      let isThere = state.withLock { state in state.observers.contains { $0.id == observer.id } }
      // UNSAFE: the address goes back to who gave it, and is not looked at here.
      if isThere {
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
    let fileName: String
    let callback: Callback

    init(id: UInt64, address: UInt, name: String, callback: Callback) {
      (self.id, self.address, self.name, self.callback) = (id, address, name, callback)
      fileName = NamedSignals.fileName(for: name)
    }
  }

  /// A callback on its way to the main queue. Why unchecked: a C function has no state, and stands here as a closure.
  // UNSAFE: the parameters are Core Foundation's, which are pointers.
  @safe private struct Callback: @unchecked Sendable {
    let function: CFNotificationCallback
    init(_ function: @escaping CFNotificationCallback) { unsafe self.function = function }
  }

  /// Listens for as long as it lives. Why unchecked: dispatch sources are safe to share; it is constant.
  private final class Listener: @unchecked Sendable {
    private let source: any DispatchSourceRead

    init(_ signals: NamedSignals, onHeard: @escaping @Sendable (NamedSignals.Heard) -> Void) {
      source = DispatchSource.makeReadSource(fileDescriptor: signals.fileDescriptor, queue: .main)
      source.setEventHandler {
        do { onHeard(try signals.take()) } catch {
          NSLog("%@", "Notifications are not heard any more: \(error)")
        }
      }
      source.activate()
    }

    deinit { source.cancel() }
  }
}

/// The center of notifications between processes.
///
/// A device has one for all its processes; here it connects the processes of a user that have the same container.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwinNotifyCenter }

/// Has `callBack` called on the main queue when `name` is posted, by any process.
///
/// Object and suspension behaviour mean nothing to the Darwin center; without a name nothing is observed.
public func CFNotificationCenterAddObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
  _ name: CFString!, _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
  guard let center, let callBack = unsafe callBack, let name else { return }
  // UNSAFE: the address is kept as a number.
  unsafe center.add(UInt(bitPattern: observer), name: name, callBack)
}

/// Ends the observing of `name` by `observer`; of all names without one.
public func CFNotificationCenterRemoveObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
  _ object: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: name?.rawValue)
}

/// Ends all observing by `observer`.
public func CFNotificationCenterRemoveEveryObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: nil)
}

/// Posts `name` to all processes, this one included. The Darwin center carries no object and no information.
public func CFNotificationCenterPostNotification(
  _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
  _ userInfo: CFDictionary!, _ deliverImmediately: Bool
) {
  guard let center, let name else { return }
  center.post(name.rawValue)
}
