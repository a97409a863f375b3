/// What the Info.plist of a broadcast upload extension says about how it is run.
package struct ExtensionInfo: Equatable, Sendable {
  /// The file.
  package let path: String
  /// `NSExtensionPrincipalClass`: the handler's class with its module.
  package let principalClass: String

  /// The one extension point and the one way of processing that hand samples to a handler.
  static let extensionPoint = "com.apple.broadcast-services-upload"
  static let processMode = "RPBroadcastProcessModeSampleBuffer"

  /// Reads the Info.plist at `path`, as XML or in binary.
  package init(path: String) throws(Failure) {
    try self.init(try InfoPropertyList.read(path), path: path)
  }

  /// The values of a property list that was read from `path`.
  package init(_ list: [String: Any], path: String) throws(Failure) {
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
}
