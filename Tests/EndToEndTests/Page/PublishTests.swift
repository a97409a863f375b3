import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The page publishes its call by WHIP to a server that is not of this package.
  @MainActor @Suite struct PublishTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let receiver = Document.package.appending(path: "Tests/WHIPReceiver/receiver.py").path
    private static let token = "a-token-that-is-not-printed"
    private static let outcome = "document.getElementById('publish-outcome').textContent"
    private static let press = "document.getElementById('publish-button').click()"

    /// An app whose page is filled in for the server at `address`.
    private func app(for address: String) async throws -> (program: LaunchedProgram, page: String) {
      let app = try sandbox.launch(
        URL(filePath: "/usr/bin/env"),
        [
          "BROADCAST_WHIP_TOKEN=\(Self.token)", BuiltPrograms.consumer.path, "watch", "--json", "--container",
          sandbox.root, "--output-size", "native", "--serve", "--whip", address,
        ])
      return (app, try #require(try await app.event("serving").text("address")))
    }

    @Test(
      .machineAlone, .needs(oneOf: .chromium, .firefox), .needs(.aiortc),
      arguments: runsLongTests ? Browser.installed : Array(Browser.installed.prefix(1)))
    func anIndependentReceiverReadsTheNumbersThatWereSent(browser: Browser.Kind) async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let server = try sandbox.launch(
        try OptionalTool.aiortc.required(), [Self.receiver, "--token", Self.token])
      let (app, address) = try await app(for: try #require(try await server.event("serving").text("address")))
      _ = try sandbox.producer("--size", "640x480", "--fps", "10")
      let page = try await Browser(address, in: sandbox, kind: browser)
      try await page.waits(for: "broadcast.call.framesDrawn > 2")
      _ = try await page.value(of: Self.press)
      try await page.waits(for: "\(Self.outcome).startsWith('Published to ')")
      func numbers() throws -> [Int] { try server.events("number").compactMap { $0.integer("number") } }
      func states() throws -> String {
        try server.events("state").compactMap { $0.text("state") }.joined(separator: ", ")
      }
      try await eventually(
        "40 numbers; \(try numbers().count) came; connection: \(try states())", within: .seconds(120)
      ) { try numbers().count >= 40 }
      let sent = try await page.value(of: "broadcast.calls.call.numbers.join()").split(separator: ",")
        .compactMap { Int($0) }
      _ = try await page.value(of: Self.press)
      let end = try await server.event("deleted")
      try await page.waits(for: "\(Self.outcome) === 'Not published.'")
      try await page.close()

      let received = try numbers()
      #expect(end.integer("pictures").map { Double(received.count) >= 0.9 * Double($0) } == true)
      #expect(!String(decoding: app.output, as: UTF8.self).contains(Self.token))
      #expect(!app.errors.contains(Self.token))
      #expect(zip(received, received.dropFirst()).allSatisfy { $0 <= $1 })
      let (first, last) = (try #require(received.first), try #require(received.last))
      let expected = sent.filter { (first...max(first, last)).contains($0) }
      let read = Set(received).intersection(expected).count
      // An encoder without time leaves pictures out.
      try pace.expect {
        #expect(
          expected.count >= 30 && Double(read) >= 0.9 * Double(expected.count),
          "\(read) of \(expected.count) were read")
      }
    }

    @Test(.needs(.chromium), .needs(.python))
    func theOfferIsPostedWithTheTokenAndTheSessionIsDeleted() async throws {
      let python = try OptionalTool.python.required()
      let server = try sandbox.launch(python, [Self.receiver, "--mirror", "--token", Self.token])
      let other = try sandbox.launch(python, [Self.receiver, "--mirror", "--token", "another-token"])
      let endpoint = try #require(try await server.event("serving").text("address"))
      let otherEndpoint = try #require(try await other.event("serving").text("address"))
      let (_, address) = try await app(for: endpoint)
      _ = try sandbox.producer("--size", "160x120", "--fps", "10")
      let page = try await Browser(address, in: sandbox)
      try await page.waits(for: "broadcast.call.framesDrawn > 2")

      _ = try await page.value(of: Self.press)
      let offer = try await server.event("offered").text("sdp")
      #expect(offer?.contains("m=video") == true && offer?.contains("a=sendonly") == true)
      #expect(offer?.contains("m=application") == false)
      try await page.waits(for: "document.getElementById('publish-button').textContent === 'End publishing'")
      _ = try await page.value(of: Self.press)
      try await server.event("deleted")
      try await page.waits(for: "\(Self.outcome) === 'Not published.'")

      // A page may connect to one server. For another it opens itself again, without the token of the first.
      #expect(try await page.value(of: "fetch('\(otherEndpoint)').then(() => 1, () => 0)") == "0")
      _ = try await page.value(
        of: """
          (document.getElementById('publish-address').value = '\(otherEndpoint)',
           document.getElementById('publish-token').value = 'wrong', \(Self.press))
          """)
      try await page.waits(for: "\(Self.outcome).includes('refused the call with 401: the token is')")
      #expect(try await page.value(of: "fetch('\(endpoint)').then(() => 1, () => 0)") == "0")
      _ = try await page.value(of: "location.reload()")
      try await page.waits(
        for: "document.getElementById('publish-token').value === '' && \(Self.outcome) === 'Not published.'")
      try await page.close()
    }
  }
}
