import Dispatch
import Foundation
import Platform
import Synchronization

/// The files that the processes of a device share, below the folder of the containers.
///
/// `Device/state.json` has the identity and the state of the phone, and `Device/lock` is locked while the phone runs. If the phone
/// crashes, the kernel releases the lock, and from then on the file says nothing. An app that has followed the phone stays that phone.
/// An app that starts later is the standard device. Both files stay, and have a fixed length.
package struct DeviceFile: Codable, Equatable {
  var process: Int32
  var identity: Device.Identity
  var state: DeviceState

  /// The name of the signal that is posted after a change.
  static let signal = "device"
  /// The length of the file in bytes. It is padded with line feeds.
  static let byteCount = 1024

  package static func folder(in root: String) -> String { root + "/Device" }
  static func lock(in root: String) -> String { folder(in: root) + "/lock" }
  static func path(in root: String) -> String { folder(in: root) + "/state.json" }
  package static func files(in root: String) -> [String] { [lock(in: root), path(in: root)] }
}

final class DevicePublisher: Sendable {
  private let root: String
  private let lock: Mutex<FileDescriptor>
  private let report: @Sendable (FileError) -> Void

  init(root: String, report: @escaping @Sendable (FileError) -> Void) throws(FileError) {
    self.root = root
    self.report = report
    try PrivateFolder.prepareRoot(root)
    try PrivateFolder.prepare(DeviceFile.folder(in: root))
    let file = try PlainFile.openOrCreate(DeviceFile.lock(in: root))
    guard try System.tryLock(file, first: Int(System.processID)) else {
      throw FileError(.held(by: nil), DeviceFile.lock(in: root))
    }
    lock = Mutex(file)
  }

  /// Writes the file, and then signals the other processes. A failed write is reported, and repeated at the next change.
  func write(_ identity: Device.Identity, _ state: DeviceState) {
    do throws(FileError) {
      let path = DeviceFile.path(in: root)
      let file = DeviceFile(process: System.processID, identity: identity, state: state)
      var bytes: [UInt8]
      do { bytes = Array(try JSONEncoder().encode(file)) } catch { throw FileError(.unwritableValue, path) }
      bytes += repeatElement(UInt8(ascii: "\n"), count: max(1, DeviceFile.byteCount - bytes.count))
      try PlainFile.replaceOrOverwrite(path, with: bytes)
      try NamedSignals.post(DeviceFile.signal, root: root)
    } catch {
      report(error)
    }
  }

  /// Unlocks explicitly instead of closing: a child between fork and exec shares the open file.
  func end() throws(FileError) { try lock.withLock { file throws(FileError) in try System.unlock(file) } }
}

/// Follows the files in an app. It reads them whenever the device is used, and watches them once the device has an observer.
final class DeviceFollower: Sendable {
  private weak let device: Device?
  private let root: String
  private let watched = Mutex((isStarted: false, signals: DeviceObservation?.none))
  /// The content read last. The lock is held from the read to the change, so that an older state does not replace a newer one.
  private let last = Mutex((bytes: [UInt8](), file: DeviceFile?.none))
  private let queue = DispatchQueue(label: "device")

  /// The interval of checks for a crash of the phone, in seconds.
  private static let interval = 0.5

  init(_ device: Device) {
    self.device = device
    root = device.containerRoot
  }

  /// Applies the current content of the files to the device. If no phone runs, the state is the initial one.
  func refresh() {
    let change = last.withLock { last in
      do {
        let bytes = try PlainFile.read(DeviceFile.path(in: root), limit: 2 * DeviceFile.byteCount)
        if bytes != last.bytes {
          last = (bytes, try JSONDecoder().decode(DeviceFile.self, from: Data(bytes)))
        }
        if let file = last.file, try isRunning(file.process) {
          return device?.follow(file.identity, file.state)
        }
      } catch {
        // If the file is missing or cannot be read, there is no phone.
      }
      // The file of a phone that has ended: the app stays the phone that it has followed, or else is the standard one.
      return device?.follow(nil, DeviceState())
    }
    if let change { device?.notify(change.old, change.new) }
  }

  private func isRunning(_ process: Int32) throws(FileError) -> Bool {
    let lock = try PlainFile.open(DeviceFile.lock(in: root))
    return try System.lengthOfLockElsewhere(lock) == Int(process)
  }

  /// Starts following each change.
  func watch() {
    let isFirst = watched.withLock { watched in
      defer { watched.isStarted = true }
      return !watched.isStarted
    }
    guard isFirst else { return }
    do throws(FileError) {
      let signals = try NamedSignals.observe(root: root, queue: queue) { [weak self] names in
        for name in names {
          if let event = name.flatMap(DeviceState.AppEvent.init(rawValue:)) {
            self?.device?.change { $0.app.note(event) }
          } else if name == nil || name == DeviceFile.signal {
            self?.refresh()
          }
        }
      }
      watched.withLock { $0.signals = signals }
    } catch {
      NSLog("%@", "Changes of the phone arrive up to \(Self.interval) s late: \(error)")
    }
    look()
  }

  private func look() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      self?.refresh()
      self?.look()
    }
  }
}
