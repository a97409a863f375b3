import Dispatch
import EmulatedDevice
import Platform

// Models CoreFoundation/CFNotificationCenter.h for the Darwin notification center.

public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
  public var rawValue: CFString

  public init(rawValue: CFString) { self.rawValue = rawValue }
  public init(_ rawValue: CFString) { self.rawValue = rawValue }
}

/// Core Foundation takes a C function, so a closure must not capture anything. The stand-in does not check this.
public typealias CFNotificationCallback = (
  CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

public enum CFNotificationSuspensionBehavior: CFIndex, Sendable {
  case drop = 1
  case coalesce = 2
  case hold = 3
  case deliverImmediately = 4
}

/// Connects the processes of one user that share a container (`$BROADCAST_CONTAINER`, or the default container). An
/// emulated device within a process has a separate center without files. Observers are called on the main queue. Posts
/// in quick succession may arrive as one.
///
/// Unchecked `Sendable`: a lock protects the observers, and a callback models a C function, which has no state.
public final class CFNotificationCenter: @unchecked Sendable {
  package static func darwinNotifyCenter(of device: Device) -> CFNotificationCenter {
    device.object { device in
      CFNotificationCenter(root: device.ownRoot == nil ? device.containerRoot : nil, device.runAfter, device)
    }
  }

  // UNSAFE: the parameters of a callback are Core Foundation's, which are pointers.
  @safe private struct Observer {
    let id: UInt64
    let address: UInt
    let name: String
    let callback: CFNotificationCallback
    let isApp: Bool
  }

  /// The parent of the folder that carries the notifications; `nil` on a device within this process.
  private let root: String?
  private let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private weak let device: Device?
  private let lock = NSLock()
  private var observers: [Observer] = []
  private var nextID: UInt64 = 0
  /// Receives posts once there is an observer.
  private var receiver: DeviceObservation?
  private var faultyDelivery = Delivery.normal
  /// The number of changes of the delivery.
  private var deliveryCount = 0
  /// The posts and arrivals that wait for the end of the coalescing time.
  private var pending: Set<String> = []

  /// The name of the first notification that this process posted or observed, and the closure that receives it.
  private var firstUse: (name: String?, report: (@Sendable (String) -> Void)?) = (nil, nil)

  /// How the notifications that this process posts or observes are delivered.
  package enum Delivery: String, CaseIterable, Sendable {
    case lost, late, doubled, coalesced, unheard, normal
  }

  /// The delay of a late notification.
  package static let lateness = Duration.seconds(1)
  /// The delay of the second copy of a doubled notification, so that the two do not arrive as one.
  private static let doublingTime = Duration.milliseconds(100)
  /// The time in which notifications of one name are combined. They arrive as one at its end.
  package static let coalescingTime = Duration.milliseconds(500)

  /// How long notifications are dropped after the delivery becomes `unheard`.
  package static let unheardTime = Duration.seconds(1)

  /// Creates a center for the processes that share `root`.
  package convenience init(root: String) { self.init(root: root, Device.runByDispatch) }

  private init(
    root: String?, _ runAfter: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
    _ device: Device? = nil
  ) {
    self.root = root
    self.runAfter = runAfter
    self.device = device
  }

  /// Resets the state of the extension's process, as a new process does. The observers of its app stay.
  package func forgetExtension() {
    lock.withLock {
      observers.removeAll { !$0.isApp }
      faultyDelivery = .normal
      deliveryCount += 1
      (pending, firstUse) = ([], (nil, nil))
    }
  }

  /// Calls `report` with the name of the first notification that this process posts or observes. If there was one
  /// already, calls it at once.
  package func onFirstUse(_ report: @escaping @Sendable (String) -> Void) {
    let name = lock.withLock {
      firstUse.report = report
      return firstUse.name
    }
    if let name { report(name) }
  }

  private func noteUse(of name: String) {
    if Device.isApp { return }
    let report: (@Sendable (String) -> Void)? = lock.withLock {
      guard firstUse.name == nil else { return nil }
      firstUse.name = name
      return firstUse.report
    }
    report?(name)
  }

  func add(_ address: UInt, name: String, _ callback: @escaping CFNotificationCallback) {
    noteUse(of: name)
    do throws(FileError) {
      lock.lock()
      defer { lock.unlock() }
      if let root, receiver == nil {
        receiver = try NamedSignals.observe(root: root) { [weak self] names in
          for name in names { self?.arrive(name) }
        }
      }
      nextID += 1
      unsafe observers.append(
        Observer(id: nextID, address: address, name: name, callback: callback, isApp: Device.isApp))
    } catch {
      NSLog("%@", "Notifications named \(name) cannot be observed: \(error)")
    }
  }

  func remove(_ address: UInt, name: String?) {
    lock.withLock { observers.removeAll { $0.address == address && (name == nil || $0.name == name) } }
  }

  /// The delivery of notifications from now on. `unheard` ends after ``unheardTime``.
  package var delivery: Delivery {
    get { lock.withLock { faultyDelivery } }
    set {
      let count = lock.withLock {
        faultyDelivery = newValue
        deliveryCount += 1
        return deliveryCount
      }
      guard newValue == .unheard else { return }
      runAfter(Self.unheardTime) { [weak self] in
        guard let self else { return }
        lock.withLock { if self.deliveryCount == count { self.faultyDelivery = .normal } }
      }
    }
  }

  func post(_ name: String) {
    noteUse(of: name)
    deliver("post \(name)") { self.postNow(name) }
  }

  private func postNow(_ name: String) {
    guard let root else {
      return runAfter(.zero) { [weak self] in self?.callObservers(of: NamedSignals.fileName(for: name)) }
    }
    do { try NamedSignals.post(name, root: root) } catch {
      NSLog("%@", "The notification \(name) cannot be posted: \(error)")
    }
  }

  private func arrive(_ fileName: String?) {
    deliver("arrival \(fileName ?? "")") { [weak self] in self?.callObservers(of: fileName) }
  }

  /// Performs a post or an arrival according to the delivery: not at all, once, twice, or later on the main queue.
  private func deliver(_ key: String, _ action: @escaping @Sendable () -> Void) {
    let delivery = self.delivery
    if delivery == .coalesced, !lock.withLock({ pending.insert(key).inserted }) { return }
    if delivery == .normal || delivery == .doubled { action() }
    let delay: Duration? =
      switch delivery {
      case .late: Self.lateness
      case .doubled: Self.doublingTime
      case .coalesced: Self.coalescingTime
      case .normal, .lost, .unheard: nil
      }
    guard let delay else { return }
    runAfter(delay) { [weak self] in
      if let self { lock.withLock { _ = self.pending.remove(key) } }
      action()
    }
  }

  /// Calls the observers of a posted name (of all names if it is `nil`) on the main queue. Skips observers that another
  /// observer has removed.
  private func callObservers(of fileName: String?) {
    let observers = lock.withLock { self.observers }
    let called = observers.filter { fileName == nil || NamedSignals.fileName(for: $0.name) == fileName }
    for observer in called where lock.withLock({ self.observers.contains { $0.id == observer.id } }) {
      let call = {
        // UNSAFE: the observer gets its own address back; the center does not access it.
        unsafe observer.callback(
          self, UnsafeMutableRawPointer(bitPattern: observer.address), CFNotificationName(observer.name), nil,
          nil)
      }
      if let device { device.run(asApp: observer.isApp, call) } else { call() }
    }
  }
}

/// The center of the processes that share this container. A device has one center for all processes.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! {
  CFNotificationCenter.darwinNotifyCenter(of: .current)
}

public func CFNotificationCenterAddObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
  _ name: CFString!, _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
  guard let center, let callBack = unsafe callBack, let name else { return }
  // UNSAFE: the address is stored as a number.
  unsafe center.add(UInt(bitPattern: observer), name: name, callBack)
}

public func CFNotificationCenterRemoveObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
  _ object: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: name?.rawValue)
}

public func CFNotificationCenterRemoveEveryObserver(
  _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!
) {
  // The address is compared as a number.
  center?.remove(UInt(bitPattern: observer), name: nil)
}

public func CFNotificationCenterPostNotification(
  _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
  _ userInfo: CFDictionary!, _ deliverImmediately: Bool
) {
  guard let center, let name else { return }
  center.post(name.rawValue)
}
