import CommandLineSupport
import Platform
import ScreenBroadcast
import SharedMemory

// The file system a container is on, and the length of its path.
extension ContainerExamination {
  /// Three frames, which a producer reserves by default: of the default screen, and of the largest device.
  private static let smallRing = 3 * PixelBufferSerializer.serializedSize(width: 1080, height: 720)
  private static let largeRing = 3 * PixelBufferSerializer.serializedSize(width: 2064, height: 2752)

  mutating func lookAtFileSystem() {
    var path = Self.absolute(container.folder)
    var status: FileSystemStatus?
    while status == nil {
      do throws(StorageError) { status = try fileSystem(path) } catch {
        // Where the container will be, when it is not there; what else is in the way was told before.
        guard path != "/" else { return addUnreadable(path, error) }
        path = Self.parent(of: path)
      }
    }
    guard let status else { return }
    let room = "\(status.name) with \(Double(status.freeByteCount).megabytesText) free"
    switch status.place {
    case .memory: add(.fileSystem, path, "the file system is \(room), in memory")
    case .disk:
      add(
        .diskFileSystem, path,
        "the file system is \(room), on a disk: sixty frames a second are written back to it",
        remedy: "choose a --container in /dev/shm or $XDG_RUNTIME_DIR")
    case .remote:
      add(
        .remoteFileSystem, path,
        "the file system is \(room), of another machine or program: locks and mapped frames may not be shared",
        remedy: "choose a --container in /dev/shm or $XDG_RUNTIME_DIR")
    }
    let reason: String? =
      if status.isReadOnly {
        "the file system cannot be written"
      } else if !status.takesFiles {
        "the file system takes no more files"
      } else if status.freeByteCount < UInt64(Self.smallRing) {
        "there is no room for three frames of 1080x720, which take \(Double(Self.smallRing).megabytesText)"
      } else {
        nil
      }
    let remedy = "free some room there, or choose another --container"
    // A producer that is there has its room; only the next one lacks it.
    if let reason {
      add(diagnosis.hasProducer ? .lowRoom : .noRoom, path, reason, remedy: remedy)
    } else if status.freeByteCount < UInt64(Self.largeRing) {
      add(
        .lowRoom, path,
        "there is no room for three frames of the largest screen, 2064x2752, which take "
          + Double(Self.largeRing).megabytesText, remedy: remedy)
    }
  }

  /// The most bytes that the path of a socket may have: `sun_path` of Apple's platforms without the final zero.
  private static let socketPathLimit = 103

  mutating func lookAtPathLength() {
    let socket = Self.absolute(container.folder) + "/rtc_SSFD"
    let length = socket.utf8.count
    guard length > Self.socketPathLimit else { return }
    add(
      .longPath, container.folder,
      "a socket in it, such as rtc_SSFD, has a path of \(length) bytes, and \(Self.socketPathLimit) is the most",
      remedy: "choose a --container or a group whose name is shorter by \(length - Self.socketPathLimit)")
  }
}
