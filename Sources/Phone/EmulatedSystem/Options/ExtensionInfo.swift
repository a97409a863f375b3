import CommandLineSupport

/// The keys in a broadcast upload extension's Info.plist that determine how the extension runs.
package struct ExtensionInfo: Equatable, Sendable {
  package let path: String
  /// `NSExtensionPrincipalClass`: the handler's class with its module.
  package let principalClass: String

  package static let extensionPoint = "com.apple.broadcast-services-upload"
  package static let processMode = "RPBroadcastProcessModeSampleBuffer"

  /// Reads the Info.plist at `path`, in XML or binary form. Throws if the extension cannot run.
  package init(path: String) throws(ProgramFailure) {
    try self.init(try PropertyListFile.dictionary(path), path: path)
  }

  /// Reads the values of a property list that was loaded from `path`.
  package init(_ list: [String: Any], path: String) throws(ProgramFailure) {
    self.path = path
    let info = list["NSExtension"] as? [String: Any]
    // Xcode's templates have used both places for the mode.
    let attributes = info?["NSExtensionAttributes"] as? [String: Any]
    func text(_ key: String) throws(ProgramFailure) -> String {
      guard let text = (info?[key] ?? attributes?[key]) as? String, !text.isEmpty else {
        throw .refusedExtension("\(path) has no \(key); an extension's Info.plist has it below NSExtension.")
      }
      return text
    }
    let point = try text("NSExtensionPointIdentifier")
    guard point == Self.extensionPoint else {
      throw .refusedExtension(
        "\(path) belongs to an extension for \(point.quoted); a broadcast upload extension has the "
          + "NSExtensionPointIdentifier \(Self.extensionPoint).")
    }
    let mode = try text("RPBroadcastProcessMode")
    guard mode == Self.processMode else {
      throw .refusedExtension(
        "\(path) has the RPBroadcastProcessMode \(mode.quoted), which is not emulated; "
          + "set it to \(Self.processMode).")
    }
    principalClass = try text("NSExtensionPrincipalClass")
  }

  /// Returns the class in a name whose module is a variable of Xcode, as in `$(PRODUCT_MODULE_NAME).SampleHandler`.
  package static func classBehindVariable(in name: String) -> String? {
    name.wholeMatch(of: /\$[({][^(){}]+[)}]\.(\w+)/).map { String($0.1) }
  }
}

extension ProgramFailure {
  /// Returns the failure of a program that cannot use the extension that it was given.
  package static func refusedExtension(_ sentence: String) -> ProgramFailure {
    ProgramFailure(.usage, sentence, pointsToHelp: false)
  }
}
