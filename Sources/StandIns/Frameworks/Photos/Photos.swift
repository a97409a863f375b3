@_exported import AppleFoundation
import EmulatedDevice
import Foundation
import Synchronization

public enum PHAuthorizationStatus: Int, Sendable {
  case notDetermined, restricted, denied, authorized, limited
}

public enum PHAccessLevel: Int, Sendable {
  case addOnly = 1
  case readWrite
}

public let PHPhotosErrorDomain: String = "PHPhotosErrorDomain"

/// Additions are only logged. A missing or empty file is rejected.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses, and no state.

  private static let library = PHPhotoLibrary()
  /// Held during a change. Its requests are in ``changes``.
  private static let change = NSLock()
  private static let changes = Mutex<[PHAssetChangeRequest]?>(nil)

  open class func shared() -> PHPhotoLibrary { library }
  open class func authorizationStatus() -> PHAuthorizationStatus {
    switch Device.current.status(of: .photos) {
    case .notDetermined: .notDetermined
    case .denied: .denied
    case .granted: .authorized
    }
  }
  open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    authorizationStatus()
  }

  open class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
    requestAuthorization(for: .readWrite, handler: handler)
  }
  open class func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    let status = ask(for: accessLevel)
    Device.current.enqueue(.global()) { handler(status) }
  }
  open nonisolated(nonsending) class func requestAuthorization(for accessLevel: PHAccessLevel) async
    -> PHAuthorizationStatus
  { ask(for: accessLevel) }

  private class func ask(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    isGranted(accessLevel) ? .authorized : .denied
  }

  /// Asks the person, if the app has not asked.
  private class func isGranted(_ accessLevel: PHAccessLevel = .addOnly) -> Bool {
    MainBundle.requirePurpose(
      (accessLevel == .addOnly ? ["NSPhotoLibraryAddUsageDescription"] : []) + [
        "NSPhotoLibraryUsageDescription"
      ])
    return Device.current.ask(for: .photos)
  }

  open func performChanges(
    _ changeBlock: @escaping @Sendable () -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    let device = Device.current
    device.enqueue(.global()) { [self] in
      do {
        try device.run { try performChangesAndWait(changeBlock) }
        completionHandler?(true, nil)
      } catch { completionHandler?(false, error) }
    }
  }
  open nonisolated(nonsending) func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws
  {
    try performChangesAndWait(changeBlock)
  }
  /// If the app has not asked the person for permission yet, the person is asked here.
  open func performChangesAndWait(_ changeBlock: () -> Void) throws {
    // PHPhotosErrorAccessUserDenied.
    guard Self.isGranted() else { throw NSError(code: 3311, in: PHPhotosErrorDomain) }
    let requests = Self.change.withLock { () -> [PHAssetChangeRequest] in
      Self.changes.withLock { $0 = [] }
      changeBlock()
      return Self.changes.withLock { $0.take() } ?? []
    }
    for request in requests { try request.perform() }
  }

  /// Adds a request to the current change. Outside of a change it crashes, because a device raises an exception.
  fileprivate static func add(_ request: PHAssetChangeRequest) {
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

open class PHChangeRequest: NSObject {}

open class PHAssetChangeRequest: PHChangeRequest, @unchecked Sendable {
  // Unchecked `Sendable`: the library performs the request after its creator has returned.

  fileprivate enum Resource {
    case file(URL, moves: Bool), data(Data)
  }

  fileprivate var resources: [Resource] = []
  /// Without effect.
  open var creationDate: Date?
  /// Without effect.
  open var isFavorite = false

  public required override init() {}

  private class func request(_ file: URL) -> Self {
    let request = Self()
    request.resources = [.file(file, moves: false)]
    PHPhotoLibrary.add(request)
    return request
  }
  open class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> Self? { request(fileURL) }
  open class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? { request(fileURL) }

  fileprivate func perform() throws {
    for resource in resources {
      switch resource {
      case .data(let data): NSLog("%@", "Photos: \(data.count) bytes are added to the library.")
      case .file(let url, let moves):
        let size: Int
        do { size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 } catch {
          throw refusal("\(url.path) is not added to the library: \(error)")
        }
        guard size > 0 else { throw refusal("\(url.path) is empty, and is not added to the library.") }
        NSLog("%@", "Photos: \(url.lastPathComponent), \(size) bytes, is added to the library.")
        if moves { try FileManager.default.removeItem(at: url) }
      }
    }
  }

  private func refusal(_ reason: String) -> NSError {
    NSLog("%@", "Photos: \(reason)")
    // PHPhotosErrorInvalidResource.
    return NSError(code: 3302, in: PHPhotosErrorDomain)
  }
}

public enum PHAssetResourceType: Int, Sendable {
  case photo = 1
  case video, audio
}

open class PHAssetResourceCreationOptions: NSObject {
  /// Without effect.
  open var originalFilename: String?
  open var shouldMoveFile = false
}

open class PHAssetCreationRequest: PHAssetChangeRequest, @unchecked Sendable {
  // Unchecked `Sendable`: as its base class.

  open class func forAsset() -> Self {
    let request = Self()
    PHPhotoLibrary.add(request)
    return request
  }
  open func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) { resources.append(.file(fileURL, moves: options?.shouldMoveFile == true)) }
  open func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?)
  { resources.append(.data(data)) }
}
