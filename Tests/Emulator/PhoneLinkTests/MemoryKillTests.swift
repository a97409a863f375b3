import Causes
import CommandLineSupport
import Foundation
import PhoneLink
import Testing

@Suite struct MemoryKillTests {
  private static let kill = MemoryKill(
    pid: 7, session: "ff", atNs: 5, limitBytes: 50 << 20, footprintBytes: 53 << 20,
    peakFootprintBytes: 54 << 20,
    pixelBufferBytes: 41 << 20, heapBytes: 9 << 20, stackBytes: 1 << 20, otherBytes: 2 << 20,
    systemBytes: 3 << 20, sharedFileBytes: ["frames.ring": 13 << 20], mappedFileBytes: 20 << 20)

  @Test func whatIsWrittenIsReadAgain() throws {
    #expect(MemoryKill(json: try Self.kill.json) == Self.kill)
    var withoutSession = Self.kill
    withoutSession.session = nil
    #expect(MemoryKill(json: try withoutSession.json) == withoutSession)
  }

  @Test func itIsAClauseOfASentence() {
    #expect(
      Self.kill.description
        == "was killed for its memory: 53.0 MB of 50.0 MB; pixel buffers 41.0 MB, heap 9.0 MB, stacks 1.0 MB, "
        + "other 2.0 MB")
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
    #expect(MemoryKill(json: try kill.json) == nil)
  }

  @Test func bytesThatAreNoSuchTextAreRefused() throws {
    let json = try Self.kill.json
    for count in 0..<json.count - 2 { #expect(MemoryKill(json: Array(json[..<count])) == nil) }
    let text = String(decoding: json, as: UTF8.self)
    for text in [
      "null", "[]", "{}", String(repeating: "[", count: 60_000),
      text.replacing("\"pid\" : 7", with: "\"pid\" : 1e99"),
      text.replacing("\"pid\" : 7", with: "\"pid\" : 7.5"),
      text.replacing("\"pid\" : 7", with: "\"pid\" : -7"),
      text.replacing("\"pid\" : 7", with: "\"pid\" : \"7\""),
      text.replacing("\"atNs\" : 5", with: "\"atNs\" : -5"),
    ] { #expect(MemoryKill(json: Array(text.utf8)) == nil, "\(text.prefix(40))") }
    #expect(MemoryKill(json: [0xFF, 0x00, 0xFE]) == nil)
    // More than such a file ever has, though it is one.
    #expect(MemoryKill(json: json + [UInt8](repeating: 0x20, count: MemoryKill.sizeLimit)) == nil)
  }
}
