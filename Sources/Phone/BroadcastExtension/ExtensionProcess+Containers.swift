import AppleFoundation
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization

// The folders, locks and files of the process in the containers of the app group and of the extension.
extension ExtensionProcess {
  /// Creates the container, as the system does for an app group, and clears the record of a crash. Returns the reason if there is
  /// no container.
  func prepareContainer() -> FileError? {
    do throws(FileError) { try container.prepare() } catch { return error }
    do throws(FileError) { try ProcessLock.forgetCrash(at: container.extensionLockFile) } catch {
      // If this broadcast needs the lock, taking it reports the failure.
    }
    return nil
  }

  /// Sets the handler's home and temporary folder. If that fails, it is reported and the broadcast continues.
  func enterDataContainer() {
    do throws(FileError) { try dataContainer.enter() } catch {
      return report("The extension's home folder cannot be prepared: \(error).")
    }
    let folders = [container.parentFolder, dataContainer.folder]
    let targets = folders.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    Refusal.writableFolders.withLock { $0 = folders + targets }
  }

  /// Reports the handler's recordings, and the files that it wrote to its data container. Returns the events of the recordings.
  func reportWritten(_ log: RecordingLog?) -> [RecordingEvent] {
    let recordings = log?.events ?? []
    for event in recordings {
      options.common.jsonLines?.write(event, reportingTo: console, as: program.name)
    }
    var written = dataContainer.written(end: end?.time)
    if let sentence = WroteEvent.sentence(written, in: dataContainer.folder) { console.say(sentence) }
    if Self.lingering > .zero {
      written += DataContainer.writtenLate(in: container, end: end?.time) + sentLate
    }
    for event in written { options.common.jsonLines?.write(event, reportingTo: console, as: program.name) }
    return recordings
  }

  /// The bytes that the handler sent over a connection after its last call, as an event; empty if it sent none.
  private var sentLate: [WroteEvent] {
    let proxy = SocketProxy.shared(for: device)
    guard let end, let newest = proxy.newestSend,
      let delay = DataContainer.delay(of: newest.time, after: end.time)
    else { return [] }
    let bytes = Int(clamping: (proxy.sentBytes ?? 0) - end.sentBytes)
    return [WroteEvent(file: newest.path, bytes: bytes, secondsAfterEnd: delay)]
  }

  /// Publishes the state of the device, so that apps in other processes can follow it.
  func publishDevice() {
    do throws(FileError) {
      try device.publish { [report] in report("Apps do not see the changes of this phone: \($0).") }
    } catch {
      let reason =
        if case .held = error.reason { "another phone runs with these containers" } else { "\(error)" }
      report("Apps do not see this phone: \(reason).")
    }
  }

  /// Throws if the entitlements do not include the app group. The article's handler would not notice that, because it does not
  /// request its container from the system.
  func checkGroup() throws(ProgramFailure) {
    if AppGroupEntitlements.allow(container.group) { return }
    // Request the container as an app does, so that the log has the system's message.
    _ = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: container.group)
    throw ProgramFailure(
      .notPermitted,
      "The handler has no container: \(AppGroupContainer.Failure.unknownGroup(container.group)).")
  }

  func takeLock() {
    do throws(FileError) { lock = try ProcessLock(path: container.extensionLockFile) } catch {
      report("'consumer' does not see this broadcast: \(error).")
    }
  }

  func releaseLock() {
    do throws(FileError) {
      try device.endPublishing()
      try lock?.release()
    } catch {
      report("\(error).")
    }
  }

  static func container(
    _ options: CommonOptions, report: (String) -> Void
  ) throws(ProgramFailure) -> AppGroupContainer {
    let standard = AppGroupRoot.standard()
    if options.container == nil, standard.isDiskFallback {
      report(
        "There is no memory file system here; frames go to \(standard.path), which may be slow. "
          + "Choose a better place with --container.")
    }
    let container = try options.appGroupContainer()
    // Handlers other than the article's request the container from the system, and must get this container.
    // UNSAFE: C strings for the call; no other thread reads the environment yet.
    _ = unsafe setenv("BROADCAST_CONTAINER", container.parentFolder, 1)
    _ = unsafe setenv("BROADCAST_GROUP", options.group, 1)
    return container
  }
}
