import Foundation
import Platform
import Synchronization

/// An act that iOS refuses to an app or an extension, and that Linux permits.
package enum Refusal: String, Sendable {
  case posixName, outsideContainers, protectedFile

  /// Receives the first refusal of each kind, with the name or the path that was refused, on the thread of the call. By default
  /// refusals are logged.
  package static let report = Mutex(
    Callback<@Sendable (Refusal, String) -> Void> { NSLog("%@", "\($0.sentence) \($1)") })
  /// The folders in which this process may write; `nil` for all.
  package static let writableFolders = Mutex<[String]?>(nil)
  private static let reported = Mutex<Set<Refusal>>([])

  /// The act, its consequence on a device, and the fix.
  package var sentence: String {
    switch self {
    case .posixName:
      "A semaphore or shared memory has a name that a device does not permit: the name consists of an app group, a slash and a "
        + "name of its own, and has at most 31 bytes."
    case .outsideContainers:
      "A file outside of the containers is written or removed; a device does not permit that (EPERM): use the folder of the app "
        + "group, or the home and the temporary folder of the process."
    case .protectedFile:
      "The protection class of a file does not permit its use while the phone is locked; a device refuses that (EPERM): give a "
        + "file that is used then the class completeUntilFirstUserAuthentication."
    }
  }

  /// Reports the refusal, once for each kind, and returns `error`.
  func reported(_ name: String, _ error: Int32) -> Int32 {
    guard Self.reported.withLock({ $0.insert(self).inserted }) else { return error }
    Self.report.withLock(\.self).call(self, "It was '\(name)'.")
    return error
  }

  fileprivate static func error(ofName name: String) -> Int32 {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, AppGroupRoot.isGroupID(String(parts[0])), !parts[1].isEmpty else {
      return Refusal.posixName.reported(name, EPERM)
    }
    return name.utf8.count <= 31 ? 0 : Refusal.posixName.reported(name, ENAMETOOLONG)
  }

  fileprivate static func error(ofWriting path: String) -> Int32 {
    guard let folders = writableFolders.withLock(\.self) else { return 0 }
    let path = URL(filePath: path).standardizedFileURL.path
    let isDevice = path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") || path.hasPrefix("/proc/")
    if isDevice || folders.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) { return 0 }
    return Refusal.outsideContainers.reported(path, EPERM)
  }
}

/// Called by the functions that replace `sem_open`, `shm_open` and their like.
@_cdecl("emulated_name")
func emulatedName(_ name: UnsafePointer<CChar>, _ copy: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32 {
  // UNSAFE: the caller's string, and its buffer with room for `size` bytes.
  let name = unsafe String(cString: name)
  // On Linux all containers share one name space, in which names have no slash.
  unsafe write((AppGroupRoot.standard().path + "." + name).replacing("/", with: "."), to: copy, size)
  return Refusal.error(ofName: name)
}

/// Called by the functions that replace `open`, `unlink` and their like.
@_cdecl("emulated_open")
func emulatedOpen(
  _ path: UnsafePointer<CChar>, _ writes: Bool, _ opens: Bool, _ protection: UnsafeMutablePointer<CChar>?
) -> Int32 {
  // UNSAFE: the caller's string, and its variable.
  let path = unsafe String(cString: path)
  let error = writes ? Refusal.error(ofWriting: path) : 0
  if error != 0 { return error }
  let inherited = unsafe protection == nil ? 0 : ProtectedFiles.inherited(by: path)
  unsafe protection?.pointee = inherited
  return opens ? ProtectedFiles.error(ofOpening: path, inherited) : 0
}
