import CoreVideo
import PixelAccess
import TestSupport

@testable import ContainerDoctor
@testable import ContainingApp
@testable import EmulatedSystem
@testable import ScreenBroadcast

/// Tests that the tables of `Docs/JSONLines.md` are generated from the comments of the event types.
@Suite struct JSONEventDocumentTests {
  @Test func theTablesAreMadeOfTheTypesOfTheEvents() throws {
    let document = try EventDocument()
    var tables = try EventDocument.programs.map { program, _ in
      (
        name: "events of \(program)",
        table: String.table(["event", "key", "type", "meaning"], try document.rows(of: program))
      )
    }
    let objects = try document.objects().map { object in
      "### \(object.name)\n\n\(object.comment)\n\n" + String.table(["key", "type", "meaning"], object.rows)
    }
    tables.append(("objects", objects.joined(separator: "\n")))
    try Document("Docs/JSONLines.md").check(tables)
    #expect(document.unlisted == [], "EventDocument.programs has the events of each program.")
  }

  @Test func everyVerdictOfABroadcastIsDocumented() throws {
    let words = [
      (true, .alive(pid: 1)), (false, .alive(pid: 1)), (true, .died(pid: 1)), (true, .unheld),
      (false, .unheld), (nil, .unheld),
    ].map { (flag: Bool?, holder: ProcessLock.Holder) in
      Diagnosis(container: "/container", flag: flag, holder: holder, findings: []).broadcastWord
    }
    let row = try Document("Docs/JSONLines.md").rows.first {
      $0.cells.count == 4 && $0.cells[1] == "broadcast"
    }
    let meaning = try #require(row?.cells.last)
    #expect(Set(words).count == 6)
    for word in words { #expect(meaning.contains(word)) }
  }

  @Test func everyReasonAndChangeIsDocumented() throws {
    let noBuffer = ScreenContentError.noBuffer(
      PixelBufferError(
        code: kCVReturnAllocationFailed, width: 16, height: 16,
        pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
    let endings: [BroadcastEnding] = [
      .byExtension(NSError(domain: SampleHandler.errorDomain, code: 1)), .gracefullyByExtension,
      .byExtension(NSError(domain: "domain", code: 2, userInfo: [NSUnderlyingErrorKey: noBuffer])),
      .bySystem, .endOfContent, .durationReached, .framesReached, .contentFailed(noBuffer),
    ]
    let rows = try Document("Docs/JSONLines.md").rows.filter { $0.section == "producer" }
    let reasons = rows.filter { $0.cells.count == 3 }.map { $0.cells[0] }
      .filter { $0 != "reason" && !$0.hasPrefix("---") }
    #expect(reasons == endings.map(\.reason) + ["exited", "hung"])
    let changes = try EventDocument().rows(of: "consumer").drop { $0[0] != "`capture`" }.dropFirst().first
    for kind in CaptureChange.Kind.allCases { #expect(changes?.last?.contains("`\(kind.rawValue)`") == true) }
  }
}
