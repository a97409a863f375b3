import CPlatform
import Foundation
import Platform
import Synchronization

/// The protection classes of files, and their effect on this process while the phone is locked.
///
/// The class is an extended attribute of a file, so all processes of the phone see it. A new file takes the class of its folder.
package enum ProtectedFiles {
  /// How long a locked phone keeps the key of complete protection.
  package static let delay = Duration.seconds(10)

  /// The class of files without one.
  package static let standard = FileProtectionType.completeUntilFirstUserAuthentication

  /// The classes with the letters from A on.
  private static let types: [FileProtectionType] = [
    .complete, .completeUnlessOpen, standard, .none, .inactive,
  ]
  private static let (complete, unlessOpen) = (CChar(65), CChar(66))

  package static func protection(of path: String) -> FileProtectionType {
    let index = Int(letter(of: path) - complete)
    return types.indices.contains(index) ? types[index] : standard
  }

  package static func setProtection(_ type: FileProtectionType, of path: String) throws(FileError) {
    guard let index = types.firstIndex(where: { $0.rawValue == type.rawValue }) else {
      throw FileError(.unwritableValue, path)
    }
    // UNSAFE: C strings for the calls, here and below.
    if unsafe set_file_protection(path, complete + CChar(index)) != 0 {
      throw FileError(.call("setxattr", .current), path)
    }
  }

  private static func letter(of path: String) -> CChar { unsafe file_protection(path) }

  /// Returns the class that a new file takes from its folder, as its letter; 0 if the file exists.
  static func inherited(by path: String) -> CChar {
    unsafe access(path, F_OK) == 0 ? 0 : letter(of: URL(filePath: path).deletingLastPathComponent().path)
  }

  /// Returns EPERM for a file whose class does not permit that it is opened now, otherwise 0. A file that is complete unless open
  /// can be created.
  static func error(ofOpening path: String, _ inherited: CChar) -> Int32 {
    let letter = inherited == complete ? inherited : letter(of: path)
    guard letter == complete || letter == unlessOpen, device(of: path) != nil else { return 0 }
    _ = isFollowing
    return isSealed(path) ? Refusal.protectedFile.reported(path, EPERM) : 0
  }

  /// The device whose lock counts; `nil` before the program has a device.
  private static func device(of path: String) -> Device? { Device.owning(path: path) ?? Device.ifPresent }

  private static func isSealed(_ path: String) -> Bool { device(of: path)?.isSealed ?? false }

  // MARK: Files that are open or mapped

  private struct Sealed: Sendable {
    /// The descriptors whose files were replaced, with copies of the originals.
    var files: [(descriptor: Int32, original: Int32)] = []
    var mappings: [(range: Range<UInt>, access: Int32)] = []
  }

  private static let sealed = Mutex(Sealed())

  /// Follows the lock of the phone from the first use of a protected file on.
  private static let isFollowing: Void = {
    Device.whenChanged { device, old, new in
      if new.lockTime != old.lockTime { follow(device, new.lockTime) }
    }
    if let device = Device.ifPresent { follow(device, device.state.lockTime) }
  }()

  private static func follow(_ device: Device, _ lockTime: MonotonicTime?) {
    guard let lockTime else { return sealed.withLock { unseal(&$0) } }
    device.runAfter(max(.zero, lockTime + delay - device.clock.now)) { [weak device] in
      guard device?.state.lockTime == lockTime else { return }
      sealed.withLock { seal(&$0) }
    }
  }

  /// Ends the access of this process to files of the class complete.
  private static func seal(_ sealed: inout Sealed) {
    unseal(&sealed)
    do throws(FileError) {
      for number in try ProcessFiles.numbers(in: ProcessFiles.path("fd", of: nil)) {
        guard let path = ProcessFiles.linkTarget(ProcessFiles.path("fd/\(number)", of: nil)),
          letter(of: path) == complete, isSealed(path),
          !sealed.files.contains(where: { $0.original == number })
        else { continue }
        let replacement = open_sealed_file()
        sealed.files.append((number, fcntl(number, F_DUPFD_CLOEXEC, 3)))
        replace(number, by: replacement)
        _ = Refusal.protectedFile.reported(path, EPERM)
      }
      for line in try ProcessFiles.text(ProcessFiles.path("maps", of: nil)).split(separator: "\n") {
        let words = line.split(separator: " ")
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard let path = line.firstIndex(of: "/").map({ String(line[$0...]) }), ends.count == 2,
          letter(of: path) == complete, isSealed(path)
        else { continue }
        let access = (words[1].contains("r") ? PROT_READ : 0) | (words[1].contains("w") ? PROT_WRITE : 0)
        sealed.mappings.append((ends[0]..<ends[1], access))
        _ = Refusal.protectedFile.reported(path, EPERM)
      }
    } catch {
      NSLog("%@", "Open files keep their access while the phone is locked: \(error).")
    }
    for mapping in sealed.mappings { setAccess(PROT_NONE, to: mapping.range) }
  }

  private static func unseal(_ sealed: inout Sealed) {
    for (descriptor, original) in sealed.files {
      // The program may have closed its descriptor.
      let target = ProcessFiles.linkTarget(ProcessFiles.path("fd/\(descriptor)", of: nil))
      if target?.hasPrefix("/memfd:protected") == true {
        replace(descriptor, by: original)
      } else {
        close(original)
      }
    }
    for mapping in sealed.mappings { setAccess(mapping.access, to: mapping.range) }
    sealed = Sealed()
  }

  /// Moves the file of another descriptor to a descriptor of the program.
  private static func replace(_ descriptor: Int32, by other: Int32) {
    dup2(other, descriptor)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(other)
  }

  private static func setAccess(_ access: Int32, to range: Range<UInt>) {
    // UNSAFE: the pages of a mapped file: as on a device, the code that uses them while the phone is locked crashes.
    unsafe mprotect(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, access)
  }
}

extension Device {
  /// Whether the phone has forgotten the key of complete protection, because it has been locked for ``ProtectedFiles/delay``.
  package var isSealed: Bool { state.lockTime.map { clock.now - $0 >= ProtectedFiles.delay } ?? false }
}
