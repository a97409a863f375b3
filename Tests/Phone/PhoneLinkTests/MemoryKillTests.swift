import Causes
import PhoneLink
import TestSupport

@Suite struct MemoryKillTests {
  private static let kill = MemoryKill(
    pid: 7, session: "ff", atNs: 5, limitBytes: 50 << 20, footprintBytes: 53 << 20,
    peakFootprintBytes: 54 << 20,
    pixelBufferBytes: 41 << 20, heapBytes: 9 << 20, stackBytes: 1 << 20, otherBytes: 2 << 20,
    systemBytes: 3 << 20, sharedFileBytes: ["frames.ring": 13 << 20], mappedFileBytes: 20 << 20)

  /// Returns the record that a reader of the facts file decodes.
  private func read(_ kill: MemoryKill) throws -> MemoryKill? {
    Fact(json: try #require(Fact(kill, at: .zero, pid: kill.pid).json))?.body as? MemoryKill
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    #expect(try read(Self.kill) == Self.kill)
    var withoutSession = Self.kill
    withoutSession.session = nil
    #expect(try read(withoutSession) == withoutSession)
  }

  @Test func itIsAClauseOfASentence() {
    #expect(
      Self.kill.description
        == "was killed for its memory: 53.0 MiB of 50.0 MiB; pixel buffers 41.0 MiB, heap 9.0 MiB, stacks 1.0 MiB, "
        + "other 2.0 MiB")
  }

  @Test(
    arguments: [
      { $0.pid = 0 }, { $0.pid = -1 }, { $0.limitBytes = 0 }, { $0.footprintBytes = 50 << 20 },
      { $0.peakFootprintBytes = 1 }, { $0.heapBytes = .max }, { $0.session = "" }, { $0.session = "-1x" },
      { $0.session = "10000000000000000" }, { $0.sharedFileBytes = ["\u{1B}[31m": 1] },
      { $0.sharedFileBytes = ["": 1] }, { $0.sharedFileBytes = [String(repeating: "n", count: 256): 1] },
      { $0.sharedFileBytes = Dictionary(uniqueKeysWithValues: (0..<17).map { ("\($0)", 1) }) },
    ] as [@Sendable (inout MemoryKill) -> Void])
  func whatCannotBeTrueIsRefused(_ change: @Sendable (inout MemoryKill) -> Void) throws {
    var kill = Self.kill
    change(&kill)
    #expect(try read(kill) == nil)
  }
}
