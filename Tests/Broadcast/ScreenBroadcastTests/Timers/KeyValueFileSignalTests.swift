import Dispatch
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

@Suite struct KeyValueFileSignalTests {
  private let folder: TemporaryFolder
  private let container: AppGroupContainer
  private let queue = DispatchQueue(label: "signal")

  init() throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(in: folder)
  }

  @Test func aChangeIsReportedLongBeforeThePoll() throws {
    let observer = StatusObserver()
    let manager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container),
      timer: KeyValueFileSignal(container: container, queue: queue), interval: .seconds(3600))
    manager.subscribe(observer)
    let other = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: ManualTimer())
    for count in 1...6 {
      if count % 2 == 1 { try other.start() } else { try other.stop() }
      #expect(holds { observer.changes.values.count == count })
    }
    manager.unsubscribe()
    try other.start()
    // A call after the cancel would have run on the same queue by now.
    queue.sync {}
    #expect(observer.changes.values.count == 6)
  }

  @Test func aProgramThatWritesInPlaceIsHeardTooAndSoIsTheEndOfTheFile() throws {
    let watch = try FileWatch(path: container.preferencesFile)
    #expect(!watch.takeChanges())
    let url = URL(fileURLWithPath: container.preferencesFile)
    try Data("<plist/>".utf8).write(to: url)
    #expect(holds { watch.takeChanges() })
    #expect(!watch.takeChanges())
    try Data("other".utf8).write(to: URL(fileURLWithPath: container.preferencesFolder + "/other"))
    #expect(!watch.takeChanges())
    try FileManager.default.removeItem(at: url)
    #expect(holds { watch.takeChanges() })
  }

  @Test func thePollContinues() throws {
    let ticks = Recorder<Bool>()
    let signal = KeyValueFileSignal(container: container, queue: queue)
    signal.start(every: .milliseconds(1)) { ticks.add(true) }
    #expect(holds { ticks.values.count >= 3 })
    signal.cancel()
  }

  @Test func aMissingFolderIsPolled() throws {
    let ticks = Recorder<Bool>()
    let missing = try AppGroupContainer(root: folder("missing"), group: AppGroupContainer.testGroup)
    let signal = KeyValueFileSignal(container: missing, queue: queue)
    signal.start(every: .milliseconds(1)) { ticks.add(true) }
    #expect(holds { ticks.values.count >= 3 })
    signal.cancel()
  }
}
