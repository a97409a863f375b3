import Foundation
import TestSupport
import Testing

@testable import BroadcastExtension
@testable import EmulatedSystem

/// The tables of `Docs/Trace.md` equal the code.
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

  @Test func theEventsAndBoundsOfThePageAreThoseOfTheCode() {
    // One of these values fits each event that has a value of its own.
    let values = [":stop", ":left", ":64x48", ":2", ":x", ":airpods", ":mic"]
    func isOfTrace(_ text: String) -> Bool {
      do { return try DeviceEvent(text: text).traits.contains(.ofTrace) } catch { return false }
    }
    let words = DeviceEvent.forms.map(\.usage).compactMap { usage -> String? in
      guard usage.contains(where: \.isUppercase) else { return isOfTrace(usage) ? usage : nil }
      let word = String(usage.prefix { $0 != ":" })
      return values.contains { isOfTrace(word + $0) } ? word : nil
    }
    #expect(words.count == 21)
    #expect(page.text.replacing("\n  ", with: " ").contains(words.map { "`\($0)`" }.joined(separator: ", ")))
    #expect(TraceComparison.latest == .seconds(10) && TraceComparison.tolerance == .milliseconds(17))
  }
}
