import Dispatch
import PhoneLink
import Platform
import ScreenBroadcast
import TestSupport
import Testing

@testable import ContainingApp

@MainActor @Suite struct WatchMemoryTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }

  @Test func theMemoryOfTheExtensionIsItsOwnAnswer() async throws {
    let memory = WatchMemory(container: container)
    #expect(memory.extension == nil)
    let service = try LineService(
      folder: container.broadcastFolder, name: AppGroupContainer.controlSocketName)
    let isKnown = await eventually { () -> Bool in
      try? service.answer { line, send in send(line == "memory" ? "3900000" : "") }
      return memory.extension == 3_900_000
    }
    #expect(isKnown)
    try service.close()
    #expect(await eventually { memory.extension == nil })
  }
}
