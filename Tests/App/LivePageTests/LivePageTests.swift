import HTTPServer
import PictureFormats
import PixelAccess
import ReplayKit
import TestSupport
import WebRTC

@testable import ContainingApp
@testable import LivePage

@MainActor @Suite(.sharedMachine) final class LivePageTests {
  private var pages: [LivePage] = []

  isolated deinit { for page in pages { page.close() } }

  private let call = VideoCall(outputSize: .fixed(width: 64, height: 32), fit: .crop)

  private func page(
    report: WatchReport? = nil,
    _ read: @escaping LivePage.Read = { _ in LivePage.Command("", name: "") { nil } }
  ) throws -> LivePage {
    let page = try LivePage(
      port: 0, framesPerSecond: 30, console: Console(messages: nil, errors: .error),
      report: report ?? makeReport(clock: SystemClock()),
      actions: [PageAction("Turn", "rotate", .phone, "It turns.", "rotate:left")],
      run: PageRun(group: nil, serve: "consumer --serve", options: nil, device: "iphone-15", verifies: false),
      read: read)
    call.track.add(page)
    pages.append(page)
    return page
  }

  private func makeReport(clock: any MonotonicClock) -> WatchReport {
    WatchReport(
      of: WatchReport.Subject(
        title: "consumer watch", commandLine: [], pollsPerSecond: 30, flagFile: nil,
        statusInterval: .milliseconds(500)), measures: FrameMeasures { 1 << 20 }, clock: clock)
  }

  private func makeBuffer(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
    try PixelBufferPool(width: width, height: height, pixelFormat: fullRange).makeBuffer()
  }

  private func makeLiveFrame(
    _ buffer: CVPixelBuffer, number: UInt64 = 1, rotation: PictureRotation = .none
  ) -> LiveFrame {
    LiveFrame(
      buffer: RTCCVPixelBuffer(pixelBuffer: buffer), rotation: rotation, orientation: .up, number: number,
      captureTime: 1, receiveTime: 2)
  }

  private func get(_ path: String, of page: LivePage, fields: [String] = []) throws -> HTTPTestClient {
    try HTTPTestClient(page.port, asking: "GET \(path)", fields: fields)
  }

  private func control(_ page: LivePage, token: String?) throws -> HTTPTestClient {
    try post("/control", "rotate:left", to: page, token: token)
  }

  private func post(_ path: String, _ body: String, to page: LivePage, token: String?) throws
    -> HTTPTestClient
  {
    let client = try HTTPTestClient(page.port)
    let fields =
      ["Content-Length: \(body.utf8.count)"] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    client.send(request("POST \(path)", port: page.port, fields: fields, body: body))
    return client
  }

  private func token(of page: LivePage) throws -> String {
    let settings = try get("/settings", of: page)
    #expect(settings.gets("\"token\":\""))
    return String(settings.text.components(separatedBy: "\"token\":\"")[1].prefix { $0 != "\"" })
  }

  @Test(arguments: [
    "/", "/player.css", "/player.js", "/run.js", "/film.js", "/figures.js", "/actions.js", "/picture.js",
    "/base.js", "/calls.js", "/call.js", "/signals.js", "/receiver.js", "/burn-in.js",
    "/call-plots.js", "/far-end", "/far-end.js",
  ])
  func theFilesOfThePageAreServed(path: String) throws {
    let page = try page()
    let client = try get(path, of: page)
    #expect(client.gets("HTTP/1.1 200 OK"))
    #expect(client.gets("default-src 'none'"))
    #expect(!client.text.contains(#/http:\/\/(?!www\.w3\.org\/2000\/svg")/#))
  }

  @Test(arguments: ["/Page/", "/../Package.swift", "/index.html/", "/frames/"])
  func nothingElseIsServed(path: String) throws {
    let page = try page()
    #expect(try get(path, of: page).gets("404 Not Found"))
  }

  @Test func aCommandNeedsTheTokenOfThePage() async throws {
    let commands = Commands()
    let report = makeReport(clock: SystemClock())
    let page = try page(report: report) { text in
      LivePage.Command(text, name: "Rotate (left)", line: "producer control \(text)") {
        commands.list.append(text)
        return commands.list.count == 2 ? "Not again." : nil
      }
    }
    #expect(try control(page, token: nil).gets("401 Unauthorized"))
    #expect(try control(page, token: "guess").gets("401 Unauthorized"))
    let token = try token(of: page)
    let first = try control(page, token: token)
    #expect(await eventually { first.text.contains(#""command":"rotate:left""#) })
    for part in [#""name":"Rotate (left)""#, #""line":"producer control rotate:left""#, #""by":"page""#] {
      #expect(first.text.contains(part))
    }
    let second = try control(page, token: token)
    #expect(await eventually { second.text.contains("Not again.") })
    #expect(commands.list == ["rotate:left", "rotate:left"])
    #expect(try get("/events", of: page).gets(#""event":"control""#, times: 2))
    let asked = "Requested rotate:left"
    let saved = report.contents.page
    #expect(saved.contains("\(asked).") && saved.contains("\(asked): not done. Not again."))
  }

  @Test func theSettingsHaveTheActionsAndTheRunAsTheyAreGiven() throws {
    let settings = try get("/settings", of: page())
    #expect(settings.gets(#""text":"rotate:left""#))
    #expect(settings.text.contains(#""serve":"consumer --serve""#))
  }

  @Test func whatIsNoControlIsRefusedAndInNoTimeline() throws {
    let page = try page { _ throws(UsageError) in throw UsageError("There is no such event.") }
    let token = try token(of: page)
    let client = try post("/control", "rotate:left", to: page, token: token)
    #expect(client.gets("400 Bad Request"))
    #expect(client.gets("There is no such event."))
    let events = try get("/events", of: page)
    #expect(events.gets("retry: 1000"))
    #expect(!events.text.contains("control"))
  }

  /// In a separate process, because otherwise the main actor runs other tests on the measured thread during the wait.
  @Test func reportsAreMadeAwayFromTheMainThreadAndOnceForManyRequests() async throws {
    await #expect(processExitsWith: .success) { try await LivePageTests().requestReports() }
  }

  private func requestReports() async throws {
    let clock = TestClock()
    let report = makeReport(clock: clock)
    for second in 1...1000 {
      clock.advance(by: .seconds(1))
      report.show(
        .stats(
          WatchStats(
            framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 5, framesSkipped: 0, framesTorn: 0,
            bitRate: 1e9,
            phase: .live, seconds: Double(second))))
    }
    let page = try page(report: report)
    let before = processorTime()
    _ = report.contents.page
    let one = processorTime() - before
    let port = page.port
    // One of three rounds, because the speed of a CPU changes with the load of the host.
    var all: [Duration] = []
    while all.count < 3, all.last.map({ $0 >= one / 2 }) ?? true {
      let start = processorTime()
      let received = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let clients = (0..<100).compactMap { _ in try? HTTPTestClient(port) }
          for client in clients { client.send(request("GET /report.html", port: port)) }
          continuation.resume(returning: clients.count { $0.gets("</html>") })
        }
      }
      all.append(processorTime() - start)
      #expect(received == 100)
    }
    #expect(all.contains { $0 < one / 2 }, "\(all) \(one)")
  }

  @Test func aPageGetsTheRatesOnceASecondHoweverOftenATerminalWantsThem() throws {
    let clock = TestClock()
    let report = makeReport(clock: clock)
    let page = try page(report: report)
    let views = WatchViews([page, report])
    for tick in 0...10 {
      views.show(
        .stats(
          WatchStats(
            framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 5, framesSkipped: 0, framesTorn: 0,
            bitRate: 1, phase: tick < 10 ? .live : .paused, seconds: 0.2 * Double(tick))))
      clock.advance(by: .milliseconds(200))
    }
    views.show(.problem("The last."))
    let client = try get("/events", of: page)
    #expect(client.gets("The last."))
    // The events at 0 s and 1 s, and the event of the change.
    #expect(client.text.ranges(of: #""event":"stats""#).count == 3)
    #expect(client.text.ranges(of: #""appMemoryBytes":1048576,"#).count == 3)
  }

  @Test func aPageGetsTheEventsBeforeItAndThenTheNewOnes() throws {
    let page = try page()
    page.show(.status(isActive: true, time: 7))
    let client = try get("/events", of: page)
    #expect(client.gets(#"data: {"active":true,"atNs":7,"event":"status"}"#))
    page.show(.problem("What is wrong."))
    #expect(client.gets(#""description":"What is wrong.""#))
    let id = String(client.text.components(separatedBy: "id: ")[1].prefix { $0.isNumber })
    let again = try get("/events", of: page, fields: ["Last-Event-ID: \(id)"])
    #expect(again.gets("What is wrong."))
    #expect(!again.text.contains(#""event":"status""#))
  }

  @Test func aPageHearsThatTheAppLives() throws {
    let page = try page()
    let (client, signals) = (try get("/events", of: page), try get("/events?of=signals", of: page))
    #expect(client.gets("event: beat\ndata: {\"atNs\":", times: 3))
    #expect(signals.gets("retry: 1000"))
    #expect(!signals.text.contains("beat"))
  }

  @Test func theEventsOfAnHourAreKeptAndItsReportsThinned() {
    let clock = TestClock()
    let events = LiveEvents(clock: clock, wake: StreamWaker())
    func add(_ text: String, _ kind: LiveEvents.Kind) { events.add(Data(text.utf8), kind) }
    for second in 0..<7200 {
      clock.advance(by: .seconds(1))
      if second.isMultiple(of: 60) { add("cause \(second)", .lasting) }
      if second.isMultiple(of: 9) { add("signal \(second)", .signal) }
      add("stats \(second)", .stats)
      add("measures \(second)", .measures)
    }
    let kept = events.events(after: 0).new
    #expect(kept.count <= LiveEvents.capacity)
    #expect(kept.count { $0.kind == .lasting } == 120)
    let (newest, count) = (kept.last?.id ?? 0, Double(LiveEvents.capacity))
    for kind in [LiveEvents.Kind.stats, .measures] {
      let ids = kept.filter { $0.kind == kind }.map(\.id)
      #expect(ids.count { newest - $0 < 300_000_000_000 } >= 300)
      // Old entries are kept too, without long gaps.
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $1 - $0 <= 64_000_000_000 })
      #expect(Double(ids.count) > count / 4)
    }
  }

  @Test func theSummaryReachesThePageBeforeTheServerEnds() throws {
    let page = try page()
    let client = try get("/events", of: page)
    #expect(client.gets("retry: 1000"))
    page.finish()
    page.show(.summary(AppSummary(BroadcastState())))
    #expect(client.isClosed())
    #expect(client.text.contains(#""event":"summary""#))
  }

  @Test func aSignalNeedsTheTokenAndReachesTheEndsThatAreThere() throws {
    let page = try page()
    let token = try token(of: page)
    #expect(try post("/signal", "{}", to: page, token: nil).gets("401 Unauthorized"))
    #expect(try post("/signal", "{\r\n}", to: page, token: token).gets("400 Bad Request"))
    #expect(try get("/signal", of: page).gets("405 Method Not Allowed"))
    #expect(try post("/signal", #"{"first":1}"#, to: page, token: token).gets("200 OK"))
    let ends = try [get("/events", of: page), get("/events?of=signals", of: page)]
    for end in ends { #expect(end.gets("retry: 1000")) }
    page.show(.problem("What is wrong."))
    #expect(try post("/signal", #"{"second":2}"#, to: page, token: token).gets("200 OK"))
    for end in ends {
      #expect(end.gets("event: signal\ndata: {\"second\":2}"))
      #expect(!end.text.contains("first"))
    }
    #expect(ends[0].text.contains("What is wrong."))
    #expect(!ends[1].text.contains("What is wrong."))
  }

  @Test func framesAreSentWithoutThePaddingOfRows() throws {
    let frames = LiveFrames()
    let buffer = try makeBuffer(18, 16)
    buffer.writePlane(0) { plane, shape in
      for row in 0..<shape.height {
        plane.fill(row * shape.bytesPerRow..<row * shape.bytesPerRow + 18, with: UInt8(row + 1))
      }
    }
    #expect(buffer.planeShape(0).bytesPerRow > 18)
    frames.publish(makeLiveFrame(buffer))
    let piece = LiveFrameStream(.init(frames: frames), clock: TestClock()).next()
    #expect(header(of: piece)?.planes == [.init(offset: 0, stride: 18), .init(offset: 288, stride: 18)])
    guard case .bytes(let bytes) = piece else { return }
    let start = 8 + Int(bytes.span.loadLittleEndian(at: 0, as: UInt32.self))
    #expect(bytes.count == start + 288 + 144)
    let rows: [[UInt8]] = (1...16).map { [UInt8](repeating: $0, count: 18) }
    #expect(Array(bytes[start..<start + 288]) == Array(rows.joined()))
  }

  @Test(
    arguments: [
      (640, 320, .none, 640, 320), (639, 320, .none, 638, 318), (100, 100, .none, 100, 50),
      (100, 100, .quarter, 100, 50), (320, 640, .quarter, 640, 320), (1, 1, .none, 2, 2),
    ] as [(Int, Int, PictureRotation, Int, Int)])
  func aPageGetsAPictureThatFitsIntoItsRoomWhenItIsUpright(
    width: Int, height: Int, rotation: PictureRotation, columns: Int, rows: Int
  ) throws {
    let frames = LiveFrames()
    let buffer = try makeBuffer(640, 340)
    buffer.writePlane(0) { bytes, shape in
      for row in 0..<shape.height {
        for column in 0..<640 { bytes[row * shape.bytesPerRow + column] = column < 320 ? 30 : 190 }
      }
    }
    buffer.writePlane(1) { bytes, _ in bytes.fill(0..<bytes.count, with: 90) }
    // The frame of a call is a part of the screen.
    let part = RTCCVPixelBuffer(
      pixelBuffer: buffer, adaptedWidth: 640, adaptedHeight: 320, cropWidth: 640, cropHeight: 320, cropX: 0,
      cropY: 10)
    frames.publish(
      LiveFrame(
        buffer: part, rotation: rotation, orientation: nil, number: 0, captureTime: 1, receiveTime: 2))
    let room = PixelSize(width: width, height: height)
    let piece = LiveFrameStream(.init(frames: frames, room: room), clock: TestClock()).next()
    let header = try #require(self.header(of: piece))
    #expect(header.width == 640 && header.height == 320 && header.columns == columns && header.rows == rows)
    guard case .bytes(let bytes) = piece else { return }
    let start = 8 + Int(bytes.span.loadLittleEndian(at: 0, as: UInt32.self))
    let row = (0..<columns).map { UInt8($0 < columns / 2 ? 30 : 190) }
    // If the size is not exactly halved, the two middle samples are mixed.
    let middle = columns / 2 - 1...columns / 2
    for y in 0..<rows {
      for x in 0..<columns where columns == 640 || !middle.contains(x) {
        #expect(bytes[start + y * columns + x] == row[x])
      }
    }
    #expect(Array(bytes[(start + columns * rows)...]) == [UInt8](repeating: 90, count: columns * rows / 2))
    // Two pages with the same room share the scaled pixels.
    let (frame, count) = try #require(frames.newest)
    let pixels = frames.pixels(of: frame, count, within: room)
    #expect(frames.pixels(of: frame, count, within: room) === pixels)
    #expect(CVPixelBufferGetWidth(frames.pixels(of: frame, count)) == 640)
  }

  @Test func aRoomWithoutTwoLengthsIsRefused() throws {
    let page = try page()
    for query in [
      "width=0&height=9", "width=9&height=-1", "width=9", "height=9", "width=many&height=9",
      "of=call&width=&height=", "width=65536&height=9", "of=both&callWidth=9",
    ] { #expect(try get("/frames?\(query)", of: page).gets("400 Bad Request")) }
    #expect(try get("/frames?", of: page).gets("200 OK"))
  }

  @Test func theFramesAreThoseOfTheScreenAndOfTheCall() throws {
    let page = try page()
    page.show(call)
    let buffer = try makeBuffer(32, 48)
    buffer.writePlane(0) { plane, _ in plane.fill(0..<plane.count, with: 200) }
    buffer.writePlane(1) { plane, _ in plane.fill(0..<plane.count, with: 90) }
    #expect(try get("/snapshot.png", of: page).gets("503 Service Unavailable"))
    try call.send(buffer, orientation: .left, time: 1000, number: 5)
    let screen = try get("/frames", of: page)
    #expect(screen.gets(#""number":5"#))
    #expect(screen.text.contains(#""orientation":"left""#))
    #expect(screen.text.contains(#""rotation":90"#))
    #expect(screen.text.contains(#""width":32"#) && screen.text.contains(#""isCropped":false"#))
    #expect(holds { screen.bytes.filter { $0 == 200 }.count >= 32 * 48 })
    let entering = try get("/frames?of=call", of: page)
    #expect(entering.gets(#""captureNs":1000"#) && entering.gets(#""isCropped":true"#))
    let both = try get("/frames?of=both&width=64&height=64&callWidth=8&callHeight=8", of: page)
    #expect(
      both.gets(#""of":"phone""#) && both.gets(#""of":"call""#) && both.text.contains(/"(columns|rows)":8\b/))
    #expect(try get("/snapshot.png", of: page).gets("IEND"))
  }

  @Test func oneSnapshotIsEncodedAtATimeForClientsThatAreThere() throws {
    let (frames, wake, mayEncode) = (LiveFrames(), StreamWaker(), DispatchSemaphore(value: 0))
    let wakes = Mutex(0)
    wake.set { wakes.withLock { $0 += 1 } }
    let encoded = Mutex<[UInt8]>([])
    let snapshots = LiveFile.snapshot(of: frames, wake: wake) { frame in
      encoded.withLock { $0.append(UInt8(frame.number)) }
      mayEncode.wait()
      return [UInt8(frame.number)]
    }
    let buffer = try makeBuffer(16, 16)
    func publish(_ number: UInt64) { frames.publish(makeLiveFrame(buffer, number: number)) }
    func bytes(of stream: DeferredAnswer) -> [UInt8]? {
      if case .bytes(let bytes) = stream.next() { bytes } else { nil }
    }
    #expect(snapshots.answer() == nil)
    publish(1)
    var early = (0..<20).compactMap { _ in snapshots.answer() }
    #expect(early.allSatisfy { bytes(of: $0) == nil })
    #expect(holds { encoded.withLock { $0 } == [1] })
    publish(2)
    let late = try #require(snapshots.answer())
    #expect(bytes(of: late) == nil)
    // By the time of the encoding, a newer frame is there. The client that came after the first one gets the newer frame.
    publish(3)
    mayEncode.signal()
    #expect(holds { wakes.withLock { $0 } == 1 })
    #expect(early.allSatisfy { bytes(of: $0) == [1] })
    early = []
    #expect(holds { encoded.withLock { $0 } == [1, 3] })
    mayEncode.signal()
    #expect(holds { wakes.withLock { $0 } == 2 })
    #expect(bytes(of: late) == [3])
    publish(4)
    let fourth = try #require(snapshots.answer())
    #expect(bytes(of: fourth) == nil)
    #expect(holds { encoded.withLock { $0 } == [1, 3, 4] })
    publish(5)
    var leaving = (0..<20).compactMap { _ in snapshots.answer() }
    #expect(leaving.allSatisfy { bytes(of: $0) == nil })
    leaving = []
    mayEncode.signal()
    #expect(holds { wakes.withLock { $0 } == 3 })
    #expect(bytes(of: fourth) == [4])
    #expect(encoded.withLock { $0 } == [1, 3, 4])
    // The newest frame has a file even after the end of the streams.
    frames.finish()
    let fifth = try #require(snapshots.answer())
    mayEncode.signal()
    #expect(holds { bytes(of: fifth) == [5] })
  }

  @Test func noFileIsMadeForAClientThatHasLeft() throws {
    let made = Mutex(0)
    let queue = DispatchQueue(label: "file")
    queue.suspend()
    let file = LiveFile(wake: StreamWaker(), queue: queue) {
      1
    } make: {
      made.withLock { $0 += 1 }
      return [1]
    }
    _ = file.answer()
    queue.resume()
    queue.sync {}
    #expect(made.withLock { $0 } == 0)
    let client = try #require(file.answer())
    queue.sync {}
    let hasFile = if case .bytes([1]) = client.next() { true } else { false }
    #expect(hasFile && made.withLock { $0 } == 1)
  }

  @Test(arguments: [nil, PixelSize(width: 60, height: 100)])
  func aStreamOfFramesStatesTheBytesOfAPieceAndEnds(room: PixelSize?) throws {
    let frames = LiveFrames()
    let stream = LiveFrameStream(.init(frames: frames, room: room), clock: TestClock())
    #expect(stream.nextByteCount == 0)
    let buffer = try makeBuffer(640, 320)
    func publish() { frames.publish(makeLiveFrame(buffer, rotation: .quarter)) }
    publish()
    let stated = stream.nextByteCount
    let piece = if case .bytes(let bytes) = stream.next() { bytes } else { [UInt8]() }
    #expect((0...1000).contains(piece.count - stated))
    #expect(stream.nextByteCount == 0)
    publish()
    frames.finish()
    #expect({ if case .end = stream.next() { true } else { false } }())
  }

  @Test func aPageThatIsBusyMissesFramesAndCountsThem() throws {
    let frames = LiveFrames()
    let stream = LiveFrameStream(.init(frames: frames), clock: TestClock())
    let buffer = try makeBuffer(16, 16)
    #expect(header(of: stream.next()) == nil)
    for number in 1...7 as ClosedRange<UInt64> {
      frames.publish(makeLiveFrame(buffer, number: number))
      if number == 2 { #expect(header(of: stream.next())?.framesDropped == 0) }
    }
    let last = try #require(header(of: stream.next()))
    #expect((last.number, last.framesDropped) == (7, 4))
    #expect(header(of: stream.next()) == nil)
  }

  @MainActor private final class Commands {
    var list: [String] = []
  }

  private func header(of piece: HTTPBodyPiece) -> LiveFrameHeader? {
    guard case .bytes(let bytes) = piece else { return nil }
    let count = Int(bytes.span.loadLittleEndian(at: 0, as: UInt32.self))
    return try? JSONDecoder().decode(LiveFrameHeader.self, from: Data(bytes[8..<(8 + count)]))
  }
}
