import BroadcastTesting
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// A container that fills up, is moved or removed while a broadcast runs.
  @MainActor @Suite struct LostContainerTests {
    let sandbox = Sandbox.ofSuite()

    @Test(
      .enabled(if: TemporaryFolder.canMount, "run as root: the test mounts a small file system"),
      arguments: ["stoppedByApp", "stoppedBySystem"])
    func aBroadcastOnAFullFileSystemEnds(reason: String) async throws {
      try sandbox.makeRootASmallFileSystem()
      let producer = try await sandbox.startedProducer("--size", "64x32", "--app-audio", "off")
      try sandbox.perform(.fillDisk)
      if reason == "stoppedByApp" {
        let stop = try await sandbox.consumer("stop")
        #expect(stop.exitCode == 0, "\(stop.errors)")
      } else {
        producer.send(SIGTERM)
      }
      #expect(try await producer.exitCode() == 0 && producer.errors.isEmpty, "\(producer.errors)")
      #expect(try await producer.broadcastEnd().reason == reason)
      #expect(try sandbox.flag() == false && !sandbox.hasRing && sandbox.holder() == .unheld)
    }

    @Test(.enabled(if: TemporaryFolder.canMount, "run as root: the test mounts a small file system"))
    func aResizeForWhichTheFileSystemHasNoRoomEndsTheBroadcastWithItsReason() async throws {
      try sandbox.makeRootASmallFileSystem()
      let producer = try await sandbox.startedProducer("--size", "64x32", "--at", "1s", "resize:1280x720")
      #expect(try await producer.exitCode() == 73)
      #expect(producer.errors.contains("no space left on device"), "\(producer.errors)")
      let end = try await producer.broadcastEnd()
      #expect(end.reason == "extensionError" && end.error?.text.contains("no space left on device") == true)
      #expect(try sandbox.flag() == false && !sandbox.hasRing && sandbox.holder() == .unheld)
    }

    @Test func aFlagThatCannotBeTurnedOffIsAnError() async throws {
      let producer = try await sandbox.startedProducer("--memory-limit", "off")
      let file = sandbox.container.preferencesFile
      try FileManager.default.removeItem(atPath: file)
      try makeFile(of: S_IFDIR, at: file)
      producer.send(SIGTERM)
      #expect(try await producer.exitCode() == 73)
      #expect(producer.errors.contains("The broadcast was not closed properly: \(file)"))
      #expect(producer.errors.contains("'broadcast doctor --fix'"))
      #expect(try await producer.broadcastEnd().reason == "stoppedBySystem")
    }

    @Test(arguments: ["moved", "removed", "replaced"])
    func aLostContainerIsNotAStopByTheApp(_ what: String) async throws {
      let watcher = try await sandbox.readyWatcher("--once")
      let producer = try sandbox.producer()
      try await watcher.event("format")
      let folder = sandbox.container.folder
      if what == "removed" {
        // Moved first, because the producer writes files while others are removed one by one.
        try FileManager.default.moveItem(atPath: folder, toPath: sandbox.folder.path + "/lost")
        try FileManager.default.removeItem(atPath: sandbox.folder.path + "/lost")
      } else {
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
      }
      if what == "replaced" { try sandbox.container.prepare() }
      #expect(try await producer.exitCode() == 74)
      #expect(producer.errors.contains("\(folder) was moved or removed"), "\(producer.errors)")
      let end = try await producer.broadcastEnd()
      #expect(end.reason == "extensionError" && end.error?.code == 3)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
    }

    /// The copy's flag is on, so the flag does not end the broadcast.
    @Test func aContainerThatWasReplacedByItsCopyEndsTheBroadcast() async throws {
      let producer = try await sandbox.startedProducer()
      let folder = sandbox.container.folder
      // Foundation does not copy the socket, so a shell makes the copy.
      let copy = try sandbox.launch(
        URL(filePath: "/bin/sh"), ["-c", #"mv "$0" "$0.moved" && cp -a "$0.moved" "$0""#, folder])
      #expect(try await copy.exitCode() == 0, "\(copy.errors)")
      #expect(try await producer.exitCode() == 74)
      #expect(producer.errors.contains("\(folder) was moved or removed"), "\(producer.errors)")
    }
  }
}
