import Dispatch
import Foundation
import Platform
import Synchronization

/// The emulated device that runs the code of this process. It has an identity and a state, and provides what that code would
/// otherwise get from the host.
///
/// ```swift
/// Device.install(Device(.init(profile: profile, ios: ios), role: .extension))
/// UIScreen.main.nativeBounds  // the pixels of the profile's panel
/// ```
/// A program has one device. A test has its own device for its calls, and for the tasks and queue blocks that begin in them;
/// other threads have the program's device. Several processes can share a device through a file: one process has the phone and
/// changes the state, and apps follow it (see ``publish(report:)``).
package final class Device: Sendable {
  /// The kind of process that runs on the device.
  package enum Role: Sendable {
    case `extension`, app
    /// A test process with both the extension and the app.
    case both
  }

  package let role: Role
  /// The clock for the timestamps of samples.
  package let clock: any MonotonicClock
  /// Runs a function: `enqueue` immediately on a queue, `runAfter` on the main queue after a time of the clock. A virtual clock
  /// waits for the function.
  package let enqueue: @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void
  package let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// The folder of the containers, if all processes of the device are in this process.
  package let ownRoot: String?
  private let sharedRoot: String?
  let permissions: Permissions
  /// Whether the device follows a phone in another process.
  private let follows: Bool

  private struct Values: Sendable {
    var identity: Identity
    var isIdentityGiven: Bool
    var state = DeviceState()
    var observers: [(id: Int, body: Observer)] = []
    var lastObserver = 0
    var publisher: DevicePublisher?
    var follower: DeviceFollower?
  }

  private let values: Mutex<Values>
  private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// - Parameters:
  ///   - identity: the identity. `nil` in an app that gets it from the phone; until then it is the standard device.
  ///   - denied: the permissions that the person denies.
  ///   - root: the folder of the containers; `nil` for ``AppGroupRoot/standard(environment:isWritableFolder:)``.
  ///   - ownRoot: the folder of the containers, if all processes of the device are in this process.
  ///   - follows: whether the state (and the identity, if it is `nil`) follow a phone in another process that publishes them.
  package init(
    _ identity: Identity? = Identity(), role: Role = .both, denied: Set<Permission> = [],
    clock: any MonotonicClock = SystemClock(), root: String? = nil, ownRoot: String? = nil,
    follows: Bool = false,
    enqueue: @escaping @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void = {
      $0.async(execute: $1)
    },
    runAfter: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = Device.runByDispatch
  ) {
    values = Mutex(Values(identity: identity ?? Identity(), isIdentityGiven: identity != nil))
    self.role = role
    self.clock = clock
    self.enqueue = enqueue
    self.runAfter = runAfter
    (self.ownRoot, sharedRoot, self.follows) = (ownRoot, root, follows)
    permissions = Permissions(denied: denied, of: role)
    guard let ownRoot else { return }
    Self.owned.withLock { owned in
      owned.removeAll { $0.device == nil }
      owned.append(Owned(root: ownRoot, device: self))
    }
  }

  /// Runs a function on the main queue of Dispatch after a delay in real time.
  package static let runByDispatch: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = {
    DispatchQueue.main.asyncAfter(deadline: .now() + $0 / .seconds(1), execute: $1)
  }

  /// The folder of the app groups' containers.
  package var containerRoot: String { ownRoot ?? sharedRoot ?? AppGroupRoot.standard().path }

  // MARK: What it is and how it is

  package var identity: Identity {
    follower?.refresh()
    return values.withLock(\.identity)
  }
  package var profile: DeviceProfile { identity.profile }
  package var ios: IOSVersion { identity.ios }

  package var state: DeviceState {
    follower?.refresh()
    return values.withLock(\.state)
  }

  /// Changes the state, and then calls the observers on this thread: first this device's, then the observers of all devices. The
  /// phone's process calls it on the main actor.
  package func change<Failure: Error>(
    _ body: (inout DeviceState) throws(Failure) -> Void
  ) throws(Failure) {
    let (old, new) = try values.withLock { values throws(Failure) in
      let old = values.state
      var new = old
      try body(&new)
      if new.isLocked != old.isLocked { new.lockTime = new.isLocked ? clock.now : nil }
      values.state = new
      return (old, new)
    }
    notify(old, new)
  }

  /// Applies what the phone's process has published. Returns the state before and after, for ``notify(_:_:)``.
  func follow(_ identity: Identity?, _ state: DeviceState) -> (old: DeviceState, new: DeviceState) {
    values.withLock { values in
      let old = values.state
      // The app of this process is controlled by signals.
      var state = state
      state.app = old.app
      values.state = state
      if let identity {
        if !values.isIdentityGiven { values.identity = identity }
        // The memory limit is always the extension's, whatever device the app uses.
        values.identity.memoryLimit = identity.memoryLimit
      }
      return (old, state)
    }
  }

  func notify(_ old: DeviceState, _ new: DeviceState) {
    guard old != new else { return }
    let (observers, publisher) = values.withLock { ($0.observers, $0.publisher) }
    for observer in observers { observer.body(self, old, new) }
    for observer in Self.observersOfAll.withLock(\.self) { observer(self, old, new) }
    publisher?.write(identity, new)
  }

  // MARK: Observers

  /// Receives a device, and its state before and after a change. It should only compare them, and enqueue any further work.
  package typealias Observer = @Sendable (Device, _ old: DeviceState, _ new: DeviceState) -> Void

  private static let observersOfAll = Mutex<[Observer]>([])

  /// Observes every device of this process, permanently.
  package static func whenChanged(_ body: @escaping Observer) {
    observersOfAll.withLock { $0.append(body) }
    current.follower?.watch()
  }

  /// Observes this device until the returned observation is released.
  package func observe(_ body: @escaping Observer) -> DeviceObservation {
    follower?.watch()
    let id = values.withLock { values in
      values.lastObserver += 1
      values.observers.append((values.lastObserver, body))
      return values.lastObserver
    }
    return DeviceObservation { [weak self] in
      self?.values.withLock { values in values.observers.removeAll { $0.id == id } }
    }
  }

  /// Whether a change makes an app lose its video encoders, because the app leaves the screen and has no stream of its screen. An
  /// extension is never on the screen, and keeps its encoders.
  package func losesEncoders(from old: DeviceState, to new: DeviceState) -> Bool {
    role != .extension && new.app.isInBackground && !old.app.isInBackground && !new.captures.contains(.stream)
  }

  // MARK: Other processes

  /// Publishes the state to all processes that share the containers, until ``endPublishing()`` or the end of this process. Throws
  /// `held` if another phone already publishes.
  package func publish(report: @escaping @Sendable (FileError) -> Void) throws(FileError) {
    let publisher = try DevicePublisher(root: containerRoot, report: report)
    let state = values.withLock { values in
      values.publisher = publisher
      return values.state
    }
    publisher.write(identity, state)
  }

  package func endPublishing() throws(FileError) {
    let publisher = values.withLock { $0.publisher.take() }
    try publisher?.end()
  }

  private var follower: DeviceFollower? {
    guard follows else { return nil }
    return values.withLock { values in
      let follower = values.follower ?? DeviceFollower(self)
      values.follower = follower
      return follower
    }
  }

  // MARK: The present device

  private struct Scope: Sendable {
    let device: Device
    let isApp: Bool
  }

  @TaskLocal private static var scope: Scope?
  private static let ofProcess = AtomicLazyReference<Device>()

  /// The device of the current task, otherwise of the process (an app's device unless the program installed one).
  package static var current: Device {
    ifPresent ?? ofProcess.storeIfNil(.ofApp())
  }

  /// The device of the current task, otherwise of the process; `nil` before the program has one.
  static var ifPresent: Device? { scope?.device ?? ofProcess.load() }

  /// Whether the current code belongs to the app, on a device whose extension is in this process too.
  package static var isApp: Bool { scope?.isApp ?? false }

  /// Returns a closure that runs `body` on the current device, whichever thread calls it.
  package static func inScope(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let scope else { return body }
    return { $scope.withValue(scope, operation: body) }
  }

  /// Creates the device of an app that runs separately from the phone. Its identity comes from the environment, or otherwise from
  /// the phone that runs with these containers.
  package static func ofApp(root: String? = nil) -> Device {
    let identity = Identity(environment: ProcessInfo.processInfo.environment)
    return Device(identity, role: .app, root: root, follows: true)
  }

  /// Makes `device` the device of the process. Call it once, before any code uses ``current``.
  package static func install(_ device: Device) {
    precondition(ofProcess.storeIfNil(device) === device, "the device of the process is already in use")
  }

  /// Runs `body` as code of this device, of its app or of its extension.
  package func run<Success, Failure: Error>(
    asApp isApp: Bool = false, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try Self.$scope.withValue(Scope(device: self, isApp: isApp)) { Result(catching: body) }.get()
  }

  /// Runs `body` as code of this device, of its app or of its extension.
  package func run<Result>(
    asApp isApp: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$scope.withValue(Scope(device: self, isApp: isApp)) { try await body() }
  }

  /// Posts a notification to the app's notification center, on a queue, as code of this device.
  package func post(
    _ name: NSNotification.Name, from object: sending Any?, _ values: sending [String: Any]? = nil,
    on queue: DispatchQueue = .main
  ) {
    // UNSAFE: ownership of the values is transferred.
    nonisolated(unsafe) let (object, values) = (object, values)
    enqueue(queue) { [self] in
      run { NotificationCenter.default.post(name: name, object: unsafe object, userInfo: unsafe values) }
    }
  }

  // MARK: Its objects

  /// Returns the device's `Object`, creating it on first use.
  package func object<Object: AnyObject & Sendable>(_ make: (Device) -> Object) -> Object {
    objects.withLock { objects in
      if let object = objects[ObjectIdentifier(Object.self)] as? Object { return object }
      let object = make(self)
      objects[ObjectIdentifier(Object.self)] = object
      return object
    }
  }

  /// Releases the object of a type, so that the next launch of a process creates a new one.
  package func forget<Object: AnyObject & Sendable>(_ type: Object.Type) {
    _ = objects.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) }
  }

  private struct Owned: Sendable {
    let root: String
    weak var device: Device?
  }

  private static let owned = Mutex<[Owned]>([])

  /// Returns the device whose own root contains `path`; `nil` if there is none. For threads without a device.
  package static func owning(path: String) -> Device? {
    owned.withLock { $0.first { path.hasPrefix($0.root + "/") && $0.device != nil }?.device }
  }
}

/// Ends an observation when it is released.
package final class DeviceObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
