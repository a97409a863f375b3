import Foundation
import Network
import ReplayKit

/// Sends pictures over a Unix socket, and ends the broadcast when its app is gone for good.
class JPEGSocketHandler: RPBroadcastSampleHandler {
  private let connection = AppConnection()
  private let encoder = JPEGEncoder()
  private var limiter = FrameLimiter(framesPerSecond: 15)
  private var leaked: [Data] = []

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    connection.onGone = { [weak self] in self?.finishBroadcastWithError($0) }
    connection.open()
  }

  override func broadcastFinished() {
    guard PlantedFault.sendsLate.isPlanted else { return connection.close() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { self.connection.send(Data("end".utf8)) }
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video else { return }
    if PlantedFault.leaksFrames.isPlanted { leaked.append(Data(repeating: 1, count: 300_000)) }
    guard connection.isIdle, limiter.lets(sampleBuffer), let picture = encoder.encode(sampleBuffer) else {
      return
    }
    connection.send(picture)
  }
}

/// Sends the last picture again from a timer while the screen is unchanged.
final class TimerHandler: RPBroadcastSampleHandler {
  private let connection = AppConnection()
  private let encoder = JPEGEncoder(scale: 0.25)
  private let queue = DispatchQueue(label: "pictures")
  private var limiter = FrameLimiter(framesPerSecond: 10)
  // Used on `queue`.
  private var timer: DispatchSourceTimer?
  private var last: Data?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    connection.onGone = { [weak self] in self?.finishBroadcastWithError($0) }
    connection.open()
    startTimer()
  }

  override func broadcastPaused() { stopTimer() }
  override func broadcastResumed() { startTimer() }

  override func broadcastFinished() {
    stopTimer()
    connection.close()
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, limiter.lets(sampleBuffer), let picture = encoder.encode(sampleBuffer) else {
      return
    }
    queue.async {
      self.last = picture
      self.connection.send(picture)
      self.timer?.schedule(deadline: .now() + 0.3, repeating: 0.3)
    }
  }

  private func startTimer() {
    queue.async {
      guard self.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: self.queue)
      timer.schedule(deadline: .now() + 0.3, repeating: 0.3)
      timer.setEventHandler { [weak self] in
        if let last = self?.last { self?.connection.send(last) }
      }
      timer.resume()
      self.timer = timer
    }
  }

  private func stopTimer() {
    queue.sync {
      timer?.cancel()
      timer = nil
    }
  }
}

/// Sends H.264 over TCP to the port that the app has stored, and reconnects.
final class TCPHandler: RPBroadcastSampleHandler {
  private let encoder = H264Encoder()
  private let queue = DispatchQueue(label: "connection")
  // Used on `queue`.
  private var connection: NWConnection?
  private var waiting = 0
  private var needsKeyFrame = true
  private var isFinished = false

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    encoder.onAccessUnit = { [weak self] bytes, isKeyFrame in
      guard let self else { return }
      self.queue.async { self.send(bytes, isKeyFrame) }
    }
    queue.async { self.connect() }
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if type == .video { encoder.encode(sampleBuffer) }
  }

  override func broadcastFinished() {
    encoder.stop()
    queue.sync {
      isFinished = true
      connection?.cancel()
      connection = nil
    }
  }

  private func connect() {
    guard !isFinished else { return }
    guard let number = Group.port, let port = NWEndpoint.Port(rawValue: number), number > 0 else {
      return connectLater()
    }
    let connection = NWConnection(host: "127.0.0.1", port: port, using: .tcp)
    connection.stateUpdateHandler = { [weak self, weak connection] state in
      switch state {
      case .ready: self?.receive(from: connection)
      case .waiting, .failed:
        connection?.cancel()
        self?.connectLater()
      default: break
      }
    }
    (self.connection, waiting, needsKeyFrame) = (connection, 0, true)
    connection.start(queue: queue)
  }

  private func connectLater() {
    connection = nil
    queue.asyncAfter(deadline: .now() + 0.2) { [weak self] in
      if self?.connection == nil { self?.connect() }
    }
  }

  /// The app sends nothing, so a completed receive means the end of the connection.
  private func receive(from connection: NWConnection?) {
    connection?.receive(minimumIncompleteLength: 1, maximumLength: 100) {
      [weak self, weak connection] _, _, isComplete, error in
      guard let self, let connection, self.connection === connection else { return }
      guard isComplete || error != nil else { return self.receive(from: connection) }
      connection.cancel()
      self.connectLater()
    }
  }

  /// Drops an access unit without room, and the ones that follow up to the next key frame.
  private func send(_ bytes: Data, _ isKeyFrame: Bool) {
    guard let connection, connection.state == .ready, waiting < 4, isKeyFrame || !needsKeyFrame else {
      needsKeyFrame = true
      return
    }
    needsKeyFrame = false
    waiting += 1
    let length = withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Data($0) }
    connection.send(
      content: length + bytes,
      completion: .contentProcessed { [weak self, weak connection] _ in
        if self?.connection === connection { self?.waiting -= 1 }
      })
  }
}
