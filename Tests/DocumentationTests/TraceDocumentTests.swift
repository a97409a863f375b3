import TestSupport

@testable import EmulatedSystem

/// Tests that the tables of `Docs/Trace.md` equal the code.
@Suite struct TraceDocumentTests {
  private let page: Document

  init() throws { page = try Document("Docs/Trace.md") }

  private func names(below title: String) throws -> [String] {
    let rows = page.rows.filter { $0.section == "The format" }.map(\.cells)
    let start = try #require(rows.firstIndex { $0[0] == title })
    return rows[(start + 1)...].prefix { !["kind", "key"].contains($0[0]) || $0[1] == "all" }
      .flatMap { $0[0].components(separatedBy: ", ") }.filter { !$0.hasPrefix("-") }
  }

  @Test func everyKindIsListed() throws {
    #expect(try Set(names(below: "kind")) == Set(TraceRecord.Kind.allCases.map(\.rawValue)))
  }

  @Test func everyKeyIsListed() throws {
    let phone = try Trace(
      contentsOf: Document.package.appending(path: "Tests/Fuzzing/Seeds/trace/phone.jsonl").path)
    let error = TraceLine(
      arrival: 0,
      call: .finishBroadcastWithError(TraceLine.HandlerError(domain: "D", code: 1, description: "Why.")))
    let keys = try (phone.lines + [error]).flatMap { line in
      try #require(JSONSerialization.jsonObject(with: Data("\(line)".utf8)) as? [String: Any]).keys
    }
    #expect(try Set(names(below: "key")) == Set(keys))
  }
}
