import AppleFoundation
import Foundation
import Synchronization

// Models the part of Photos that adds the recording of a handler to the library.

/// What the person has allowed.
public enum PHAuthorizationStatus: Int, Sendable {
  /// The person was not asked.
  case notDetermined = 0
  /// The person cannot allow it.
  case restricted = 1
  /// The person has refused it.
  case denied = 2
  /// The person has allowed it.
  case authorized = 3
  /// The person has allowed some pictures.
  case limited = 4
}

/// What an app asks for.
public enum PHAccessLevel: Int, Sendable {
  /// To add to the library.
  case addOnly = 1
  /// To read the library too.
  case readWrite = 2
}

/// The domain of the errors of Photos.
public let PHPhotosErrorDomain: String = "PHPhotosErrorDomain"

/// The library of the emulated phone, which the person has allowed. What is added is a line of the log, and a file that is not
/// there or empty is refused. For any thread.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses, and no state.

  private static let library = PHPhotoLibrary()
  /// Held during a change, whose requests are those of ``changes``.
  private static let change = NSLock()
  private static let changes = Mutex<[PHAssetChangeRequest]?>(nil)

  /// The library.
  open class func shared() -> PHPhotoLibrary { library }

  /// What the person has allowed.
  open class func authorizationStatus() -> PHAuthorizationStatus { .authorized }
  /// What the person has allowed.
  open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus { .authorized }

  /// Asks the person, who allows it.
  open class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
    DispatchQueue.global().async { handler(.authorized) }
  }

  /// Asks the person, who allows it.
  open class func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    requestAuthorization(handler)
  }

  /// Asks the person, who allows it.
  open nonisolated(nonsending) class func requestAuthorization(for accessLevel: PHAccessLevel) async
    -> PHAuthorizationStatus
  { .authorized }

  /// Calls `changeBlock`, which makes requests, on a queue of the library; then performs them and calls `completionHandler`.
  open func performChanges(
    _ changeBlock: @escaping @Sendable () -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    DispatchQueue.global().async { [self] in
      do {
        try performChangesAndWait(changeBlock)
        completionHandler?(true, nil)
      } catch { completionHandler?(false, error) }
    }
  }

  /// Calls `changeBlock`, which makes requests, and performs them. Throws when one cannot be performed.
  open nonisolated(nonsending) func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws
  {
    try performChangesAndWait(changeBlock)
  }

  /// Calls `changeBlock`, which makes requests, and performs them. Throws when one cannot be performed.
  open func performChangesAndWait(_ changeBlock: () -> Void) throws {
    let requests = Self.change.withLock { () -> [PHAssetChangeRequest] in
      Self.changes.withLock { $0 = [] }
      changeBlock()
      return Self.changes.withLock { $0.take() } ?? []
    }
    for request in requests { try request.perform() }
  }

  /// Adds a request to the change that is being made; one outside of a change is an exception on a device.
  static func add(_ request: PHAssetChangeRequest) {
    let isInChange = changes.withLock { changes in
      changes?.append(request)
      return changes != nil
    }
    precondition(
      isInChange,
      "NSInternalInconsistencyException: This method can only be called from inside of -[PHPhotoLibrary performChanges:completionHandler:]"
    )
  }
}
