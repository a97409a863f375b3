import EmulatedDevice
import PhoneLink
import ReplayKit
import ScreenBroadcast
import TestSupport

@testable import EmulatedSystem

/// Tests how iOS notifies, suspends, resumes and kills the app of a broadcast (here: a process that holds the app's lock).
@MainActor @Suite struct PhoneAppTests {
  private let folder: TemporaryFolder
  private let container: AppGroupContainer
  private let process = Process()
  private let lock: ProcessLock
  /// A file of the group that the app has open.
  private let file: FileHandle
  private let rig: SystemRig

  init() async throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(root: folder("root"), group: "group.com.example.app")
    try container.prepare()
    process.executableURL = URL(filePath: "/bin/sleep")
    process.arguments = ["86400"]
    let path = container.folder + "/app.alive"
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forUpdating: URL(filePath: path))
    process.standardInput = file
    try ProcessLauncher.run(process)
    lock = try ProcessLock(path: container.appLockFile, processID: process.processIdentifier)
    rig = try SystemRig()
    rig.system.appContainer = container
    await rig.start()
  }

  private func end() async {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    await rig.stop()
  }

  private var isStopped: Bool { ProcessState.isStopped(process.processIdentifier) }

  private func advance(by time: Duration) {
    rig.check(after: time)
  }

  @Test(.endsOtherSockets) func anAppIsSuspendedAfterFiveSecondsInTheBackground() async throws {
    #expect(rig.system.perform("app:background") == nil)
    advance(by: .milliseconds(4_900))
    #expect(!isStopped)
    advance(by: .milliseconds(100))
    #expect(isStopped)
    #expect(rig.events == ["started", "app:background", "app:suspend"])
    await end()
  }

  @Test func anAppThatReturnsInTimeIsNotSuspended() async throws {
    rig.system.perform("app:background")
    advance(by: .seconds(4))
    #expect(rig.system.perform("app:foreground") == nil)
    advance(by: .seconds(4))
    #expect(!isStopped)
    #expect(rig.events == ["started", "app:background", "app:foreground"])
    await end()
  }

  /// A scheduled suspension replaces the system's own suspension after five seconds.
  @Test(.endsOtherSockets) func aScheduledSuspensionComesBeforeThatOfTheSystem() async throws {
    rig.system.perform("app:suspend", after: .milliseconds(300))
    rig.system.perform("app:foreground", after: .seconds(2))
    rig.system.perform("app:background")
    advance(by: .milliseconds(299))
    #expect(!isStopped)
    advance(by: .milliseconds(1))
    #expect(isStopped)
    advance(by: .seconds(2))
    advance(by: .seconds(4))
    #expect(await eventually { !isStopped })
    #expect(rig.events == ["started", "app:background", "app:suspend", "app:foreground"])
    await end()
  }

  @Test func anAppThatHoldsALockIsKilledWhenItIsSuspended() async throws {
    #expect(flock(file.fileDescriptor, LOCK_EX) == 0)
    #expect(rig.system.perform("app:suspend") == nil)
    // The broadcast goes on while the app has its time in the background.
    #expect(!isStopped && process.isRunning)
    advance(by: PhoneApp.backgroundTime)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    #expect(rig.events == ["started", "app:suspend", "misuse lockHeld", "app:suspend"])
    await rig.stop()
  }

  @Test(.endsOtherSockets) func anAppThatReleasesItsLockInTheBackgroundLives() async throws {
    let descriptor = file.fileDescriptor
    #expect(flock(descriptor, LOCK_EX) == 0)
    let signals = try NamedSignals(root: folder("root"))
    Thread.detachNewThread {
      do {
        let name = UIApplication.didEnterBackgroundNotification.rawValue
        if try holds({ try signals.take().fileNames.contains(name) }) { flock(descriptor, LOCK_UN) }
      } catch { Issue.record(error) }
    }
    #expect(rig.system.perform("app:suspend") == nil)
    advance(by: PhoneApp.backgroundTime)
    #expect(isStopped && rig.events == ["started", "app:suspend", "app:suspend"])
    await end()
  }

  @Test func aBroadcastInTheProcessOfItsAppRefusesItsEvents() async throws {
    rig.system.appContainer = nil
    #expect(rig.system.perform("app:suspend") == "This event needs an app with its own process.")
    await end()
  }

  @Test func theAppIsNotifiedByUIKitsNames() async throws {
    let signals = try NamedSignals(root: folder("root"))
    for event: DeviceEvent in ["app:background", "app:memory-warning", "app:foreground"] {
      #expect(rig.system.perform(event) == nil)
    }
    var names: [String] = []
    #expect(
      await eventually {
        names += (try? signals.take().fileNames) ?? []
        return names.count == 3
      })
    #expect(
      names
        == [
          UIApplication.didEnterBackgroundNotification, UIApplication.didReceiveMemoryWarningNotification,
          UIApplication.willEnterForegroundNotification,
        ].map(\.rawValue))
    await end()
  }

  @Test func anEventThatDoesNotFitTheStateIsRefused() async throws {
    let inFront = "The app is in the foreground already."
    #expect(rig.system.perform("app:foreground") == inFront)
    rig.system.perform("app:background")
    #expect(rig.system.perform("app:background") == "The app is in the background already.")
    rig.system.perform("app:suspend")
    #expect(rig.system.perform("app:suspend") == "The app is suspended already.")
    #expect(rig.system.perform("app:memory-warning") == "The app is suspended, and gets no memory warning.")
    rig.system.perform("app:foreground")
    #expect(await eventually { !isStopped })
    #expect(rig.system.perform("app:foreground") == inFront)
    await end()
  }

  @Test func anAppThatIsSwipedAwayRunsNoLonger() async throws {
    #expect(rig.system.perform("app:kill") == nil)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    try lock.release()
    #expect(rig.system.perform("app:background")?.contains("No app runs in") == true)
    await rig.stop()
  }
}
