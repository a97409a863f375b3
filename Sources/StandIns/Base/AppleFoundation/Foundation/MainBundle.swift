import Foundation
import Synchronization

/// The Info.plist of this process's bundle. Not in Foundation; for the emulated system.
///
/// Foundation on Linux finds the bundle by the program's path. The program of an extension is in a build folder, so the
/// system adds the values of its Info.plist to the dictionary that `Bundle.main` reads.
package enum MainBundle {
  /// Adds values to `Bundle.main.infoDictionary`. Values that a property list cannot contain are skipped. Call it
  /// before other threads use the bundle.
  package static func add(_ values: [String: Any]) {
    // UNSAFE: functions of the Core Foundation within Foundation, with its own types: the dictionary retains its objects.
    guard let dictionary = unsafe infoDictionary(mainBundle()) else {
      return NSLog(
        "%@", "Bundle.main has no dictionary here, so it lacks the values of the extension's Info.plist.")
    }
    for (key, value) in values {
      guard let object = bridged(value) else { continue }
      let key = key as NSString
      unsafe setValue(
        dictionary, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(object).toOpaque())
      withExtendedLifetime((key, object)) {}
    }
  }

  /// Whether the main bundle has the values of an app's Info.plist.
  private static let isOfApp = Atomic(false)

  /// Adds the values of an app's Info.plist to `Bundle.main.infoDictionary`, as ``add(_:)``. iOS checks some of them.
  package static func addInfoPlist(ofApp values: [String: Any]) {
    add(values)
    isOfApp.store(true, ordering: .relaxed)
  }

  /// Ends the process, as iOS does, if the app's Info.plist is known and does not explain a permission under any of the keys.
  package static func requirePurpose(_ keys: [String]) {
    guard isOfApp.load(ordering: .relaxed),
      !keys.contains(where: { Bundle.main.object(forInfoDictionaryKey: $0) != nil })
    else { return }
    fatalError(
      "This app has crashed because it attempted to access privacy-sensitive data without a usage description. The app's "
        + "Info.plist must contain an \(keys[0]) key with a string value explaining to the user how the app uses this data."
    )
  }

  private static func bridged(_ value: Any) -> NSObject? {
    switch value {
    case let value as String: value as NSString
    case let value as NSNumber: value
    case let value as [String: Any]: value as NSDictionary
    case let value as [Any]: value as NSArray
    case let value as Data: value as NSData
    case let value as Date: value as NSDate
    default: nil
    }
  }
}

@_silgen_name("CFBundleGetMainBundle")
private func mainBundle() -> UnsafeRawPointer
@_silgen_name("CFBundleGetInfoDictionary")
private func infoDictionary(_ bundle: UnsafeRawPointer) -> UnsafeMutableRawPointer?
@_silgen_name("CFDictionarySetValue")
private func setValue(
  _ dictionary: UnsafeMutableRawPointer, _ key: UnsafeRawPointer, _ value: UnsafeRawPointer)
