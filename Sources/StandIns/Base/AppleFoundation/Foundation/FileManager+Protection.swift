import EmulatedDevice
import Foundation
import Platform

// Foundation has the names of the protection classes on Linux, but ignores them. The functions here have the linker's names of
// Foundation's functions, so a program calls them instead. They are `package`, because the optimizer removes internal functions
// without a caller.

/// Keeps the protection classes of files.
private final class ProtectingFileManager: FileManager, @unchecked Sendable {
  // Unchecked `Sendable`: it adds no state to its base class.
  static let shared = ProtectingFileManager()

  override func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws {
    try super.setAttributes(attributes, ofItemAtPath: path)
    let value = attributes[.protectionKey]
    let type = value as? FileProtectionType ?? (value as? String).map(FileProtectionType.init(rawValue:))
    if let type { protect(path, type) }
  }

  override func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
    var attributes = try super.attributesOfItem(atPath: path)
    attributes[.protectionKey] = ProtectedFiles.protection(of: path)
    return attributes
  }
}

private func protect(_ path: String, _ type: FileProtectionType) {
  do throws(FileError) { try ProtectedFiles.setProtection(type, of: path) } catch {
    NSLog(
      "%@", "The protection class of a file is not kept: \(error). A tmpfs can keep it from Linux 6.6 on.")
  }
}

extension FileManager {
  @_silgen_name("$s20FoundationEssentials11FileManagerC7defaultACvgZ")
  package class func protectingDefault() -> FileManager { ProtectingFileManager.shared }
}

/// Foundation's function that ``Data/writeProtected(to:options:)`` replaces.
// UNSAFE: the address of a function that takes the data, a method's `self`, after its parameters.
@safe private struct OriginalWrite: Sendable {
  let call: @Sendable (URL, Data.WritingOptions, Data) throws -> Void

  static let shared: OriginalWrite = unsafe unsafeBitCast(
    (dlsym(UnsafeMutableRawPointer(bitPattern: -1), Data.nameOfWrite), UnsafeMutableRawPointer?.none),
    to: OriginalWrite.self)
}

extension Data {
  fileprivate static let nameOfWrite =
    "$s20FoundationEssentials4DataV5write2to7optionsyAA3URLV_AC14WritingOptionsVtKF"

  @_silgen_name("$s20FoundationEssentials4DataV5write2to7optionsyAA3URLV_AC14WritingOptionsVtKF")
  package func writeProtected(to url: URL, options: Data.WritingOptions) throws {
    try OriginalWrite.shared.call(url, options, self)
    // The option's number is in the highest of its 32 bits; 0 for no option.
    let types: [FileProtectionType] = [
      .none, .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication,
    ]
    let number = Int(options.intersection(.fileProtectionMask).rawValue >> 28)
    if (1...types.count).contains(number) { protect(url.path, types[number - 1]) }
  }
}
