/// Creates the Info.plist of a broadcast upload extension as Xcode writes it, and the extension's bundle.
package enum ExtensionBundle {
  package static let point = "com.apple.broadcast-services-upload"

  /// Returns the values below `NSExtension`.
  package static func keys(
    principalClass: String, point: String = point, mode: String = "RPBroadcastProcessModeSampleBuffer"
  ) -> [String: String] {
    [
      "NSExtensionPointIdentifier": point, "NSExtensionPrincipalClass": principalClass,
      "RPBroadcastProcessMode": mode,
    ]
  }

  package static func write(
    _ list: [String: Any], to file: URL, as format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws {
    try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0).write(to: file)
  }

  /// Creates the bundle `Name.appex` in a folder, without the program that its Info.plist names.
  package static func make(
    _ name: String, _ identifier: String, in folder: URL, executable: String, principalClass: String,
    point: String = point
  ) throws -> URL {
    let bundle = folder.appending(path: "\(name).appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let list: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleExecutable": executable,
      "NSExtension": keys(principalClass: principalClass, point: point),
    ]
    try write(list, to: bundle.appending(path: "Info.plist"))
    return bundle
  }
}
