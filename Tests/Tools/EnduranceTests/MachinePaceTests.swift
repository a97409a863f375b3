import Foundation
import Platform
import Programs
import TestSupport
import Testing

@Suite struct MachinePaceTests {
  @Test func aDelayAboveTheAllowanceIsReportedWithItsFigures() async {
    let pace = MachinePace()
    // Every delay is above the allowance of the first call, and none above that of the second.
    #expect(
      await eventually {
        pace.shortfall(allowing: .seconds(-1))?.contains("turns of a thread, one every") == true
      })
    #expect(pace.shortfall(allowing: .seconds(3600)) == nil)
  }

  @Test func aThreadWithoutATurnIsReported() {
    let pace = MachinePace(work: .seconds(3600))
    #expect(pace.shortfall(allowing: .seconds(3600)) == "a thread had no turn")
  }

  @Test func aThreadIsRestrictedToOneProcessor() async throws {
    let processors = System.allowedProcessors
    let last = try #require(processors.last)
    let seen = Recorder<[Int]>()
    Thread {
      // If it fails, the thread has all processors still.
      try? System.restrictThread(toProcessors: [last])
      seen.add(System.allowedProcessors)
    }.start()
    #expect(await eventually { seen.values == [[last]] })
    #expect(System.allowedProcessors == processors)
    #expect(throws: SystemError.self) { try System.restrictThread(toProcessors: [1023]) }
    #expect(throws: SystemError.self) { try System.restrictThread(toProcessors: [-1]) }
    // The thread may run where it did.
    try System.restrictThread(toProcessors: processors)
    #expect(System.allowedProcessors == processors)
  }
}
