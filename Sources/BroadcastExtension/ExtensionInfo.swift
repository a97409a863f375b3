import Foundation
import SharedMemory

/// What the Info.plist of a broadcast upload extension says about how it is run.
struct ExtensionInfo: Equatable {
  /// The file.
  let path: String
  /// `NSExtensionPrincipalClass`: the handler's class with its module.
  let principalClass: String

  /// The one extension point and the one way of processing that hand samples to a handler.
  static let extensionPoint = "com.apple.broadcast-services-upload"
  static let processMode = "RPBroadcastProcessModeSampleBuffer"

  /// The largest file that is read, in bytes.
  static let sizeLimit = 1 << 20

  /// Reads the Info.plist at `path`, as XML or in binary.
  init(path: String) throws(Failure) {
    let list: Any
    do {
      // A FIFO would have the extension wait for a writer.
      let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
      guard type == .typeRegular else { throw Failure.noPropertyList(path: path) }
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      let data = try file.read(upToCount: Self.sizeLimit + 1) ?? Data()
      guard data.count <= Self.sizeLimit else { throw Failure.noPropertyList(path: path) }
      do {
        // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
        list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      } catch {
        throw Failure.noPropertyList(path: path)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .unreadable(SystemError(call: "open", path: path, code: Self.errno(of: error)))
    }
    guard let dictionary = list as? [String: Any] else { throw .noPropertyList(path: path) }
    try self.init(dictionary, path: path)
  }

  /// The values of a property list that was read from `path`.
  init(_ list: [String: Any], path: String) throws(Failure) {
    self.path = path
    guard let info = list["NSExtension"] as? [String: Any] else { throw .missing("NSExtension", path: path) }
    guard let point = info["NSExtensionPointIdentifier"] as? String else {
      throw .missing("NSExtensionPointIdentifier", path: path)
    }
    guard point == Self.extensionPoint else { throw .otherExtensionPoint(point, path: path) }
    // Xcode's template has had the mode in both places.
    let attributes = info["NSExtensionAttributes"] as? [String: Any]
    guard let mode = (info["RPBroadcastProcessMode"] ?? attributes?["RPBroadcastProcessMode"]) as? String
    else {
      throw .missing("RPBroadcastProcessMode", path: path)
    }
    guard mode == Self.processMode else { throw .otherMode(mode, path: path) }
    guard let principalClass = info["NSExtensionPrincipalClass"] as? String, !principalClass.isEmpty else {
      throw .missing("NSExtensionPrincipalClass", path: path)
    }
    self.principalClass = principalClass
  }

  /// The system's error beneath one of Foundation's.
  private static func errno(of error: any Error) -> Int32 {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(clamping: error.code) }
    guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
      return switch CocoaError.Code(rawValue: error.code) {
      case .fileReadNoPermission: EACCES
      case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
      default: EIO
      }
    }
    return errno(of: cause)
  }
}
