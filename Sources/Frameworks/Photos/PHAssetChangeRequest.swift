import AppleFoundation
import Foundation

/// A request of a change of the library.
open class PHChangeRequest: NSObject {}

/// A request to add a picture or a film. For the block of a change.
open class PHAssetChangeRequest: PHChangeRequest, @unchecked Sendable {
  // Unchecked `Sendable`: the library performs it when its maker has returned.

  /// The files and the bytes of the asset.
  fileprivate var resources: [Resource] = []
  /// The time at which the picture was taken.
  open var creationDate: Date?
  /// Whether the person likes the picture.
  open var isFavorite = false

  fileprivate enum Resource {
    case file(URL, moves: Bool)
    case data(Data)
  }

  /// Creates a request without resources.
  public required override init() {}

  private class func request(_ file: URL) -> Self {
    let request = Self()
    request.resources = [.file(file, moves: false)]
    PHPhotoLibrary.add(request)
    return request
  }

  /// Requests that a film is added.
  open class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> Self? { request(fileURL) }
  /// Requests that a picture is added.
  open class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? { request(fileURL) }

  /// Performs the request. Throws for a file that is not there or empty.
  func perform() throws {
    for resource in resources {
      switch resource {
      case .data(let data): NSLog("%@", "Photos: \(data.count) bytes are added to the library.")
      case .file(let url, let moves):
        let size: Int
        do { size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 } catch {
          NSLog("%@", "Photos: \(url.path) is not added to the library: \(error)")
          // PHPhotosErrorInvalidResource.
          throw NSError(domain: PHPhotosErrorDomain, code: 3302)
        }
        guard size > 0 else {
          NSLog("%@", "Photos: \(url.path) is empty, and not added to the library.")
          // PHPhotosErrorInvalidResource.
          throw NSError(domain: PHPhotosErrorDomain, code: 3302)
        }
        NSLog("%@", "Photos: \(url.lastPathComponent), \(size) bytes, is added to the library.")
        if moves { try FileManager.default.removeItem(at: url) }
      }
    }
  }
}

/// What a resource of an asset is.
public enum PHAssetResourceType: Int, Sendable {
  /// A picture.
  case photo = 1
  /// A film.
  case video = 2
  /// Audio.
  case audio = 3
}

/// How a resource is added.
open class PHAssetResourceCreationOptions: NSObject {
  /// The name of the file that was the source.
  open var originalFilename: String?
  /// Whether the library takes the file, which is then gone.
  open var shouldMoveFile = false
}

/// A request to add an asset of resources.
open class PHAssetCreationRequest: PHAssetChangeRequest, @unchecked Sendable {
  // Unchecked `Sendable`: as its base.

  /// Requests that an asset is added.
  open class func forAsset() -> Self {
    let request = Self()
    PHPhotoLibrary.add(request)
    return request
  }

  /// Adds a file to the asset.
  open func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) {
    resources.append(.file(fileURL, moves: options?.shouldMoveFile == true))
  }

  /// Adds bytes to the asset.
  open func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?)
  { resources.append(.data(data)) }
}
