import CommandLineSupport
import Foundation
import Platform

/// The keys of a broadcast upload extension's Info.plist that decide how the extension runs.
package struct ExtensionInfo: Equatable, Sendable {
  /// The path of the Info.plist.
  package let path: String
  /// `NSExtensionPrincipalClass`: the handler's class with its module.
  package let principalClass: String

  static let extensionPoint = "com.apple.broadcast-services-upload"
  static let processMode = "RPBroadcastProcessModeSampleBuffer"

  /// Reads the Info.plist at `path`, in XML or binary form.
  package init(path: String) throws(Failure) {
    try self.init(try InfoPropertyList.read(path), path: path)
  }

  /// Takes the values of a property list that was read from `path`.
  package init(_ list: [String: Any], path: String) throws(Failure) {
    self.path = path
    guard let info = list["NSExtension"] as? [String: Any] else { throw .missing("NSExtension", path: path) }
    guard let point = info["NSExtensionPointIdentifier"] as? String else {
      throw .missing("NSExtensionPointIdentifier", path: path)
    }
    guard point == Self.extensionPoint else { throw .otherExtensionPoint(point, path: path) }
    // Xcode's template has used both places for the mode.
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
}

extension ExtensionInfo {
  /// Why an extension cannot run as its Info.plist says.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(SystemError)
    /// The file is not a property list, or it is larger than ``InfoPropertyList/sizeLimit``.
    case noPropertyList(path: String)
    /// A key is missing, or its value is not text.
    case missing(String, path: String)
    /// A key that every bundle has is missing, or its value is not text.
    case missingInBundle(String, path: String)
    /// The extension is of another kind.
    case otherExtensionPoint(String, path: String)
    /// The extension does not process samples.
    case otherMode(String, path: String)
    /// The program does not contain the principal class.
    case unknownClass(String, path: String, known: [String])

    /// One sentence without a full stop: the problem, the file, and the way out.
    package var description: String {
      switch self {
      case .unreadable(let error): error.description
      case .noPropertyList(let path): "\(path) is not a property list of an extension"
      case .missing(let key, let path):
        "\(path) has no \(key); an extension's Info.plist has it below NSExtension"
      case .missingInBundle(let key, let path): "\(path) has no \(key), which every bundle needs"
      case .otherExtensionPoint(let point, let path):
        "\(path) belongs to an extension for \(point.quoted); a broadcast upload extension has the "
          + "NSExtensionPointIdentifier \(ExtensionInfo.extensionPoint)"
      case .otherMode(let mode, let path):
        "\(path) has the RPBroadcastProcessMode \(mode.quoted), which is not emulated; "
          + "a handler of samples has \(ExtensionInfo.processMode)"
      case .unknownClass(let name, let path, let known) where !name.contains("."):
        "\(path) names the principal class \(name.quoted) without its module, and Swift finds no class by that name; "
          + "this program has \(known.joined(separator: ", "))"
      case .unknownClass(let name, let path, let known):
        "\(path) names the principal class \(name.quoted), but this program has \(known.joined(separator: ", "))"
      }
    }

    /// The program's failure: exit code 64 for a readable file with wrong content.
    package var programFailure: ProgramFailure {
      switch self {
      case .unreadable(let error): ProgramFailure(errno: error.code, "\(self).")
      case .noPropertyList: ProgramFailure(.inputOutput, "\(self).")
      default: ProgramFailure(.usage, "\(self).", pointsToHelp: false)
      }
    }
  }
}

/// Reads the Info.plist of a bundle. The file is not trusted: a FIFO or a huge file is refused.
enum InfoPropertyList {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1 << 20

  /// Returns the dictionary in the file at `path`, in XML or binary form.
  static func read(_ path: String) throws(ExtensionInfo.Failure) -> [String: Any] {
    let data: Data
    do {
      // Opening a FIFO would wait for a writer.
      let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
      guard type == .typeRegular else { throw ExtensionInfo.Failure.noPropertyList(path: path) }
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      data = try file.read(upToCount: sizeLimit + 1) ?? Data()
    } catch let failure as ExtensionInfo.Failure {
      throw failure
    } catch {
      throw .unreadable(SystemError(call: "open", path: path, code: errno(of: error)))
    }
    // UNSAFE: only the type of the out parameter for the format, which is nil, is unsafe.
    // A list that cannot be parsed is no property list; the error below names the file.
    guard data.count <= sizeLimit,
      let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil),
      let dictionary = list as? [String: Any]
    else { throw .noPropertyList(path: path) }
    return dictionary
  }

  /// The system's `errno` below one of Foundation's errors.
  static func errno(of error: any Error) -> Int32 {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(clamping: error.code) }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { return errno(of: cause) }
    return switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoPermission: EACCES
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    default: EIO
    }
  }
}
