import Foundation
import Platform
import SharedMemory

/// The property list of a bundle, its Info.plist, as somebody's file: small, plain, and not trusted.
enum InfoPropertyList {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1 << 20

  /// The dictionary in the file at `path`, in XML or in binary.
  static func read(_ path: String) throws(ExtensionInfo.Failure) -> [String: Any] {
    let list: Any
    do {
      // A FIFO would have the reader wait for a writer.
      let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
      guard type == .typeRegular else { throw ExtensionInfo.Failure.noPropertyList(path: path) }
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      let data = try file.read(upToCount: sizeLimit + 1) ?? Data()
      guard data.count <= sizeLimit else { throw ExtensionInfo.Failure.noPropertyList(path: path) }
      do {
        // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
        list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      } catch {
        throw ExtensionInfo.Failure.noPropertyList(path: path)
      }
    } catch let failure as ExtensionInfo.Failure {
      throw failure
    } catch {
      throw .unreadable(SystemError(call: "open", path: path, code: errno(of: error)))
    }
    guard let dictionary = list as? [String: Any] else { throw .noPropertyList(path: path) }
    return dictionary
  }

  /// The system's error beneath one of Foundation's.
  static func errno(of error: any Error) -> Int32 {
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
