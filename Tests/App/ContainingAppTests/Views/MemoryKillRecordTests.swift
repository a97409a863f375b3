import Causes
import ContainerDoctor
import PhoneLink
import ScreenBroadcast
import SharedMemory
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct MemoryKillRecordTests {
  private func kill(pid: Int32 = getpid(), session: String? = nil) -> MemoryKill {
    MemoryKill(
      pid: pid, session: session, atNs: 1, limitBytes: 10 << 20, footprintBytes: 11 << 20,
      peakFootprintBytes: 11 << 20, heapBytes: 11 << 20)
  }

  private let rig: Rig
  private var container: AppGroupContainer { rig.container }

  init() throws { rig = try Rig() }

  private func write(_ kill: MemoryKill) throws {
    FactsFile(in: container).append(Fact(kill, at: .zero, pid: kill.pid))
  }

  @Test func aRecordAppliesToItsProcessAndSessionOnly() throws {
    func record(of pid: Int32, session: UInt64? = nil) -> MemoryKill? {
      FactsFile.memoryKill(of: pid, session: session, in: container)
    }
    #expect(record(of: 7) == nil)
    try write(kill(pid: 7, session: "ff"))
    #expect(record(of: 7)?.footprintBytes == 11 << 20)
    #expect(record(of: 7, session: 255) != nil)
    #expect(record(of: 7, session: 254) == nil)
    #expect(record(of: 8) == nil)
    try write(kill(pid: 7))
    #expect(record(of: 7, session: 254) != nil)
  }

  @Test(arguments: [true, false]) func aWatchReportsAMemoryKillOfItsSession(isOfSession: Bool) throws {
    try rig.producer.start()
    rig.provider.start()
    try rig.deliver()
    let session = try #require(rig.state.lastFrame?.session)
    let kill = kill(session: isOfSession ? String(session, radix: 16) : "1")
    try write(kill)
    rig.crash()
    #expect(rig.state.phase == .crashed(pid: getpid(), kill: isOfSession ? kill : nil))
  }

  @Test func statusAndStopReportAMemoryKill() async throws {
    try rig.producer.start()
    let kill = kill()
    try write(kill)
    rig.producer.die()
    var messages: [WatchMessage] = []
    let control = BroadcastControl(container: container) { messages.append($0) }
    let status = await #expect(throws: ProgramFailure.self) { try await control.status(within: .zero) }
    #expect(status?.exitCode == .producerCrashed)
    #expect(status?.message.contains("was killed for its memory: 11.0 MiB of 10.0 MiB; pixel") == true)
    let stop = await #expect(throws: ProgramFailure.self) { try await control.stop(within: .zero) }
    #expect(stop?.message.contains("was killed for its memory") == true)
    #expect(messages.filter { $0 == .crashed(pid: getpid(), kill: kill) }.count == 2)
  }

  @Test func theDoctorReportsAMemoryKill() throws {
    try rig.producer.start()
    try write(kill())
    rig.producer.die()
    let doctor = ContainerDoctor(container: container)
    let stale = try #require(doctor.examine().findings.first { $0.kind == .staleFlag })
    #expect(stale.description.contains("process \(getpid()) was killed for its memory: 11.0 MiB of 10.0 MiB"))
  }
}
