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

// What the process has in the containers of the group and of the extension: folders, facts, locks, and what the handler left.
extension ExtensionProcess {
  /// Makes the container, as the system does for an app group, and forgets a crash. The article's handler reports a failure to
  /// the app.
  func prepareContainer() -> FileError? {
    do throws(FileError) { try container.prepare() } catch { return error }
    do throws(FileError) { try ProcessLock.forgetCrash(at: container.extensionLockFile) } catch {
      // Taking the lock reports it, if this broadcast needs the lock.
    }
    return nil
  }

  /// Gives the handler folders of its own, which a broadcast without them does not need.
  func enterDataContainer() {
    do throws(FileError) { try dataContainer.enter() } catch {
      return report("The extension's home folder cannot be prepared: \(error).")
    }
    let folders = [container.parentFolder, dataContainer.folder]
    let targets = folders.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    Refusal.writableFolders.withLock { $0 = folders + targets }
  }

  /// Reports what the handler recorded, and what it left in its data container; returns the former.
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

  /// What the handler sent over a connection after its last call.
  private var sentLate: [WroteEvent] {
    let proxy = SocketProxy.shared(for: device)
    guard let end, let newest = proxy.newestSend,
      let delay = DataContainer.delay(of: newest.time, after: end.time)
    else { return [] }
    let bytes = Int(clamping: (proxy.sentBytes ?? 0) - end.sentBytes)
    return [WroteEvent(file: newest.path, bytes: bytes, secondsAfterEnd: delay)]
  }

  /// Lets the apps of other processes follow the device.
  func publishDevice() {
    do throws(FileError) {
      try device.publish { [report] in report("Apps do not see the changes of this phone: \($0).") }
    } catch {
      let reason =
        if case .held = error.reason { "another phone runs with these containers" } else { "\(error)" }
      report("Apps do not see this phone: \(reason).")
    }
  }

  /// The article's handler was given its container, and would not notice that the system has none for it.
  func checkGroup() throws(ProgramFailure) {
    if AppGroupEntitlements.allow(container.group) { return }
    // Asks as an app does, so that the log has the system's line.
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
    // Handlers other than the article's ask the system for the container, and must get this one.
    // UNSAFE: C strings for the call; no other thread reads the environment yet.
    _ = unsafe setenv("BROADCAST_CONTAINER", container.parentFolder, 1)
    _ = unsafe setenv("BROADCAST_GROUP", options.group, 1)
    return container
  }
}
