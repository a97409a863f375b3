import CommandLineSupport
import Foundation

/// A broadcast upload extension as it is installed: a bundle `Name.appex`, as Xcode builds it.
///
/// The bundle holds `Info.plist` and the program that `CFBundleExecutable` names: one built with
/// `BroadcastExtensionMain`, or a link to one.
package struct AppExtension: Equatable, Sendable {
  /// The path of the bundle.
  package let path: String
  /// `CFBundleIdentifier`.
  package let identifier: String
  private let executableName: String
  /// The reason why the extension cannot broadcast; `nil` if it can.
  let refusal: ExtensionInfo.Failure?

  /// The path of the bundle's Info.plist.
  package var infoPlist: String { path + "/Info.plist" }
  /// The path of the bundle's program.
  package var executable: String { path + "/" + executableName }

  /// Reads the bundle at `path`. Throws if its Info.plist cannot be read or lacks the bundle's identifier or program.
  init(path: String) throws(ExtensionInfo.Failure) {
    self.path = path
    let infoPlist = path + "/Info.plist"
    let list = try InfoPropertyList.read(infoPlist)
    func text(_ key: String) throws(ExtensionInfo.Failure) -> String {
      guard let text = list[key] as? String, !text.isEmpty else {
        throw .missingInBundle(key, path: infoPlist)
      }
      return text
    }
    identifier = try text("CFBundleIdentifier")
    executableName = try text("CFBundleExecutable")
    do throws(ExtensionInfo.Failure) {
      _ = try ExtensionInfo(list, path: infoPlist)
      refusal = nil
    } catch {
      refusal = error
    }
  }

  /// Throws if the extension cannot be launched.
  func check() throws(PickerFailure) {
    if let refusal { throw .notBroadcasting(refusal) }
    // A name with a slash would lead out of the bundle.
    guard !executableName.contains("/"), FileManager.default.isProgram(atPath: executable) else {
      throw .noProgram(executable)
    }
  }
}
