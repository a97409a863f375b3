import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

// The file system of a container, and the length of its path.
extension ContainerExamination {
  /// The bytes of three frames, which a producer reserves by default.
  private static func room(for size: PixelSize) -> Int {
    3 * PixelBufferSerializer.serializedSize(width: size.width, height: size.height)
  }

  mutating func checkFileSystem() {
    var path = URL(fileURLWithPath: container.folder).path
    var status: FileSystemStatus?
    while status == nil {
      do throws(FileError) { status = try fileSystem(path) } catch {
        // A missing container will be on the file system of its nearest parent.
        guard path != "/" else { return addUnreadable(path, error) }
        path = Self.parent(of: path)
      }
    }
    guard let status else { return }
    let room = "\(status.name) with \(Double(status.freeByteCount).mebibytesText) free"
    switch status.place {
    case .memory: add(.fileSystem, path, "the file system is \(room), in memory")
    case .disk:
      add(
        .diskFileSystem, path,
        "the file system is \(room), on a disk: sixty frames a second are written back to it")
    case .remote:
      add(
        .remoteFileSystem, path,
        "the file system is \(room), of another machine or program: locks and mapped frames may not be shared"
      )
    }
    let (small, large) = (Self.room(for: screens.usual), Self.room(for: screens.largest))
    let reason: String? =
      if status.isReadOnly {
        "the file system is read-only"
      } else if !status.takesFiles {
        "the file system has no room for more files"
      } else if status.freeByteCount < UInt64(small) {
        "there is no room for three frames of \(screens.usual), which take \(Double(small).mebibytesText)"
      } else {
        nil
      }
    // A live producer has its room already; only the next one lacks it.
    if let reason {
      add(diagnosis.hasProducer ? .lowRoom : .noRoom, path, reason)
    } else if status.freeByteCount < UInt64(large) {
      add(
        .lowRoom, path,
        "there is no room for three frames of the largest screen, \(screens.largest), which take "
          + Double(large).mebibytesText)
    }
  }

  /// The maximum length of a socket's path in bytes: `sun_path` on Apple's platforms without the final zero.
  private static let socketPathLimit = 103

  mutating func checkPathLength() {
    let length = (URL(fileURLWithPath: container.folder).path + "/rtc_SSFD").utf8.count
    guard length > Self.socketPathLimit else { return }
    add(
      .longPath, container.folder,
      "the path of a socket in it, such as rtc_SSFD, has \(length) bytes, and the limit is \(Self.socketPathLimit)",
      remedy: "choose a --container or a group whose name is shorter by \(length - Self.socketPathLimit)")
  }
}
