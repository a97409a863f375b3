import Dispatch
import Foundation
import Platform
import Synchronization

/// The emulated device that runs the code of this process: what it is, how it is now, and what it gives to that code instead of
/// the system's own.
///
/// ```swift
/// Device.install(Device(.init(profile: profile, ios: ios), role: .extension))
/// UIScreen.main.nativeBounds  // the pixels of the profile's panel
/// ```
/// A program has one device. A test has one of its own, for its calls and the tasks and blocks of queues that begin in them; another
/// thread has that of the program. Several processes share a device by a file: one has the phone and changes the
/// state, and apps follow it; see ``publish(report:)``.
package final class Device: Sendable {
  /// Whose process this is.
  package enum Role: Sendable {
    case `extension`, app
    /// Tests, whose process has both.
    case both
  }

  package let role: Role
  /// The clock of the samples' time stamps.
  package let clock: any MonotonicClock
  /// Runs a function on a queue: at once, or after a time of the clock on the main queue. A virtual clock waits for it.
  package let enqueue: @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void
  package let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// The folder of the containers, if all processes of the device are in this one.
  package let ownRoot: String?
  private let sharedRoot: String?
  let permissions: Permissions
  /// Whether it is what a phone in another process says.
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
  ///   - identity: what it is; `nil` in an app that takes it from the phone, and is the standard device before.
  ///   - denied: what the person does not allow.
  ///   - root: the folder of the containers; `nil` for ``AppGroupRoot/standard(environment:isWritableFolder:)``.
  ///   - ownRoot: that of a device whose processes are all in this one.
  ///   - follows: whether the state, and an identity that is `nil`, are those that a phone in another process publishes.
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
    (self.role, self.clock, self.enqueue, self.runAfter) = (role, clock, enqueue, runAfter)
    (self.ownRoot, sharedRoot, self.follows) = (ownRoot, root, follows)
    permissions = Permissions(denied: denied, of: role)
    guard let ownRoot else { return }
    Self.owned.withLock { owned in
      owned.removeAll { $0.device == nil }
      owned.append(Owned(root: ownRoot, device: self))
    }
  }

  /// Runs a function on the main queue of Dispatch after a real time.
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

  /// Changes the state, then calls the observers on this thread: those of this device, then those of all. The process of the
  /// phone changes it on the main actor.
  package func change<Failure: Error>(
    _ body: (inout DeviceState) throws(Failure) -> Void
  ) throws(Failure) {
    let (old, new) = try values.withLock { values throws(Failure) in
      let old = values.state
      var new = old
      try body(&new)
      values.state = new
      return (old, new)
    }
    notify(old, new)
  }

  /// Takes what the process of the phone says. Returns the state before and after, for ``notify(_:_:)``.
  func follow(_ identity: Identity?, _ state: DeviceState) -> (old: DeviceState, new: DeviceState) {
    values.withLock { values in
      let old = values.state
      // What concerns the app of this process comes by signals.
      var state = state
      state.app = old.app
      values.state = state
      if let identity {
        if !values.isIdentityGiven { values.identity = identity }
        // The limit is that of the extension, whatever the app runs on.
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

  /// Gets a device, and its state before and after a change. It only compares, and enqueues what follows.
  package typealias Observer = @Sendable (Device, _ old: DeviceState, _ new: DeviceState) -> Void

  private static let observersOfAll = Mutex<[Observer]>([])

  /// Observes every device of this process, for good.
  package static func whenChanged(_ body: @escaping Observer) {
    observersOfAll.withLock { $0.append(body) }
    current.follower?.watch()
  }

  /// Observes this device until the observation is released.
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

  /// Whether an app that has no stream of its screen loses the video encoders by this change, because it leaves the screen. An
  /// extension, which never has one, keeps them.
  package func losesEncoders(from old: DeviceState, to new: DeviceState) -> Bool {
    role != .extension && new.app.isInBackground && !old.app.isInBackground && !new.captures.contains(.stream)
  }

  // MARK: Other processes

  /// Makes the state that of all processes that share the containers, until ``endPublishing()`` or the end of this process.
  /// Throws `held` if another phone does so.
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

  /// That of the present call and its tasks, else that of the process: an app's, if the program has installed no other.
  package static var current: Device {
    ifPresent ?? ofProcess.storeIfNil(.ofApp())
  }

  /// That of the present call, else that of the process; `nil` before the program has one.
  static var ifPresent: Device? { scope?.device ?? ofProcess.load() }

  /// Whether the present call is one of the app, on a device whose extension is in this process too.
  package static var isApp: Bool { scope?.isApp ?? false }

  /// A function that calls `body` as code of the present device on any thread.
  package static func carried(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let scope else { return body }
    return { $scope.withValue(scope, operation: body) }
  }

  /// The device of an app without a phone: that of the environment, else of the phone that runs with these containers.
  package static func ofApp(root: String? = nil) -> Device {
    let identity = Identity(environment: ProcessInfo.processInfo.environment)
    return Device(identity, role: .app, root: root, follows: true)
  }

  /// Makes this the device of the process: once, before code asks for it.
  package static func install(_ device: Device) {
    precondition(ofProcess.storeIfNil(device) === device, "the device of the process was asked for already")
  }

  /// Calls `body` as code of this device, of its app or of its extension.
  package func run<Success, Failure: Error>(
    asApp isApp: Bool = false, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try Self.$scope.withValue(Scope(device: self, isApp: isApp)) { Result(catching: body) }.get()
  }

  /// Calls `body` as code of this device, of its app or of its extension.
  package func run<Result>(
    asApp isApp: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$scope.withValue(Scope(device: self, isApp: isApp)) { try await body() }
  }

  /// Posts a notification in the app's own center, on a queue, as code of this device.
  package func post(
    _ name: NSNotification.Name, from object: sending Any?, _ values: sending [String: Any]? = nil,
    on queue: DispatchQueue = .main
  ) {
    // UNSAFE: the values are handed over.
    nonisolated(unsafe) let (object, values) = (object, values)
    enqueue(queue) { [self] in
      run { NotificationCenter.default.post(name: name, object: unsafe object, userInfo: unsafe values) }
    }
  }

  // MARK: Its objects

  /// The object of this type that the device has, made when it is first asked for.
  package func object<Object: AnyObject & Sendable>(_ make: (Device) -> Object) -> Object {
    objects.withLock { objects in
      if let object = objects[ObjectIdentifier(Object.self)] as? Object { return object }
      let object = make(self)
      objects[ObjectIdentifier(Object.self)] = object
      return object
    }
  }

  /// Forgets the object of a type: the next launch of a process makes a new one.
  package func forget<Object: AnyObject & Sendable>(_ type: Object.Type) {
    _ = objects.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) }
  }

  private struct Owned: Sendable {
    let root: String
    weak var device: Device?
  }

  private static let owned = Mutex<[Owned]>([])

  /// The device whose own root holds `path`; `nil` without one. For a thread that has no device.
  package static func above(_ path: String) -> Device? {
    owned.withLock { $0.first { path.hasPrefix($0.root + "/") && $0.device != nil }?.device }
  }
}

/// Ends an observation when it is released.
package final class DeviceObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
