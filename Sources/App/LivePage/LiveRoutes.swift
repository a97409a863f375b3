import Causes
import CommandLineSupport
import ContainingApp
import EmbeddedFiles
import Foundation
import HTTPServer
import Platform

/// The answers to the requests of pages.
struct LiveRoutes: Sendable {
  let wake: StreamWaker
  let events: LiveEvents
  let captured: LiveFrames
  let entering: LiveFrames
  let snapshot: LiveFile
  let page: LiveFile
  let settings: Settings
  /// Adds an event requested by a page to the events of all pages and to the report.
  let tell: @MainActor @Sendable (ControlEvent) -> Void
  let clock: any MonotonicClock
  let read: LivePage.Read

  /// The data that a page requests first.
  struct Settings: Encodable {
    /// The secret that a page must send with a command or a signal.
    let token = UUID().uuidString
    var actions: [PageAction]
    var run: PageRun
    /// The start of the watch (time zero of the page), in nanoseconds of the monotonic clock.
    var startNs: UInt64
    var pollsPerSecond: Double
    /// The share of the expected frames below which the rate is too low.
    let leastFrameShare = FrameRateLimit.leastShare
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    switch request.path {
    case "/control": return control(request)
    case "/signal": return signal(request)
    default: break
    }
    guard request.method == .get else {
      return HTTPResponse(.methodNotAllowed, "This page accepts GET only.", fields: [("Allow", "GET")])
    }
    if let file = Self.files[request.path] {
      return HTTPResponse(type: file.type, body: .bytes(file.bytes))
    }
    switch request.path {
    case "/settings": return HTTPResponse(type: "application/json", body: .bytes(settings.json))
    case "/frames":
      do throws(UsageError) {
        let phone = LiveFrameStream.Picture(
          frames: captured, room: try Self.room("width", "height", in: request))
        var call = LiveFrameStream.Picture(name: "call", frames: entering, room: phone.room)
        let stream: LiveFrameStream
        switch request.parameter("of") {
        case "both":
          call.room = try Self.room("callWidth", "callHeight", in: request)
          stream = LiveFrameStream(phone, call, clock: clock)
        case "call": stream = LiveFrameStream(call, clock: clock)
        default: stream = LiveFrameStream(phone, clock: clock)
        }
        return HTTPResponse(type: "application/octet-stream", body: .stream(stream))
      } catch {
        return HTTPResponse(.badRequest, error.message)
      }
    case "/events":
      let last = request.fields["last-event-id"].flatMap { UInt64($0) } ?? 0
      let stream = LiveEventStream(events, after: last, signalsOnly: request.parameter("of") == "signals")
      return HTTPResponse(type: "text/event-stream", body: .stream(stream))
    case "/snapshot.png": return Self.response(snapshot, "image/png")
    case "/report.html": return Self.response(page, "text/html; charset=utf-8", styles: "'unsafe-inline'")
    default: return HTTPResponse(.notFound, "There is no such page.")
    }
  }

  /// Returns the maximum size at which a page shows a picture, in pixels; `nil` for the size of the frame.
  private static func room(_ width: String, _ height: String, in request: HTTPRequest) throws(UsageError)
    -> PixelSize?
  {
    let lengths = [width, height].compactMap { request.parameter($0) }
    let pixels = lengths.compactMap { Int($0) }.filter { (1...65_535).contains($0) }
    guard lengths.isEmpty || pixels.count == 2 else {
      throw UsageError("The parameters \(width) and \(height) are numbers from 1 to 65535.")
    }
    return lengths.isEmpty ? nil : PixelSize(width: pixels[0], height: pixels[1])
  }

  private static func response(_ file: LiveFile, _ type: String, styles: String? = nil) -> HTTPResponse {
    file.answer().map { HTTPResponse(type: type, body: .stream($0), styles: styles) }
      ?? HTTPResponse(.unavailable, "No frame has come yet.")
  }

  /// Returns the rejection of a request that is not a POST with the token of the page; `nil` if the request is valid.
  private func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard request.method == .post else {
      return HTTPResponse(.methodNotAllowed, "This path accepts POST only.", fields: [("Allow", "POST")])
    }
    guard let given = request.fields["authorization"], Self.areEqual(given, "Bearer \(settings.token)") else {
      return HTTPResponse(
        .unauthorized, "This request needs the token of the page.", fields: [("WWW-Authenticate", "Bearer")])
    }
    return nil
  }

  /// Forwards a signal from one end of a call to all pages.
  private func signal(_ request: HTTPRequest) -> HTTPResponse {
    if let refusal = refusal(of: request) { return refusal }
    let signal = String(decoding: request.body, as: UTF8.self)
    guard !signal.isEmpty, signal.utf8.count <= 16 << 10, !signal.contains(where: \.isNewline) else {
      return HTTPResponse(.badRequest, "A signal must be one line of at most 16 KiB.")
    }
    events.add(Data(signal.utf8), .signal)
    return HTTPResponse(.ok, "sent")
  }

  private func control(_ request: HTTPRequest) -> HTTPResponse {
    if let refusal = refusal(of: request) { return refusal }
    let command: LivePage.Command
    do throws(UsageError) { command = try read(Self.line(request.body)) } catch {
      return HTTPResponse(.badRequest, error.message)
    }
    let outcome = DeferredAnswer()
    let time = clock.now
    Task { @MainActor in
      let event = ControlEvent(
        command.text, name: command.name, line: command.line, problem: await command.perform(), by: .page,
        at: time)
      tell(event)
      outcome.set(event.json)
      wake.call()
    }
    return HTTPResponse(type: "application/json", body: .stream(outcome))
  }

  private static func line(_ body: [UInt8]) throws(UsageError) -> String {
    let text = String(decoding: body, as: UTF8.self)
    guard !text.isEmpty, body.count <= 200, !text.contains(where: \.isNewline) else {
      throw UsageError("A command must be one line of at most 200 bytes.")
    }
    return text
  }

  /// Compares two strings in a time that depends only on their lengths.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The pages, and the files that they load, by their paths.
  private static let files: [String: (type: String, bytes: [UInt8])] = {
    var files: [String: (type: String, bytes: [UInt8])] = [
      "/": ("text/html; charset=utf-8", EmbeddedFiles.own["player.html"]),
      "/far-end": ("text/html; charset=utf-8", EmbeddedFiles.own["far-end.html"]),
    ]
    for name in EmbeddedFiles.own.names where !name.hasSuffix(".html") {
      let kind = name.hasSuffix(".js") ? "javascript" : "css"
      files["/\(name)"] = ("text/\(kind); charset=utf-8", EmbeddedFiles.own[name])
    }
    return files
  }()
}

extension Encodable {
  /// The value as JSON. Encoding cannot fail, because the properties are finite numbers, Booleans and strings.
  var json: [UInt8] {
    do { return Array(try JSONEncoder().encode(self)) } catch { preconditionFailure("\(error)") }
  }
}
