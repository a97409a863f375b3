import CoreMedia
import CoreVideo
import Foundation
import Platform
import ReplayKit
import SharedMemory
import Synchronization

/// The extension's principal class: puts the screen's frames and the sound where the app finds them.
///
/// ReplayKit calls it one sample at a time. It says that the broadcast runs when it starts and that it is over
/// when the system ends it, and it ends itself when the app turns the flag off.
open class SampleHandler: RPBroadcastSampleHandler, BroadcastStatusSubscriber, @unchecked Sendable {
  // Why unchecked: the framework's base class is not Sendable. What this class adds is constant or in `state`.

  /// The domain of the errors a broadcast ends with.
  public static let errorDomain = "ScreenShareBroadcastExtension"

  /// The codes of the errors a broadcast ends with.
  public enum ErrorCode: Int, Sendable {
    /// The app turned the flag off. The system's dialog shows the text.
    case completed = 1
    /// The broadcast could not be started.
    case cannotStart = 2
    /// Frames could not be published any more.
    case cannotPublish = 3
  }

  private let configuration: BroadcastConfiguration
  private let statusManager: BroadcastStatusManagerImpl
  private let state = Mutex(State())

  private struct State {
    var lock: ProducerLock?
    var ring: FrameRingWriter?
    var article: ArticleFrameWriter?
    /// Why frames are left out, as far as it was told.
    var toldDrop: ArticleFrameWriter.Failure?
    var audio: [BroadcastAudioStream: AudioPacketWriter] = [:]
    /// Why sound is left out, as far as it was told.
    var toldAudioDrops: [BroadcastAudioStream: AudioPacketWriter.Failure] = [:]
    private var hasEnded = false
    private var isStarting = false
    /// What an end came with while the start was still under way.
    private var endOfStart: RingSessionError?

    /// Whether this is the first end since the start.
    mutating func end() -> Bool {
      defer { hasEnded = true }
      return !hasEnded
    }

    /// Whether the closing is left to the start, which is still under way on another thread.
    mutating func leaveToStart(_ error: RingSessionError) -> Bool {
      guard isStarting else { return false }
      endOfStart = error
      return true
    }

    mutating func start() { (hasEnded, isStarting, endOfStart) = (false, true, nil) }

    /// The start is over; what it must be closed with, if it was ended meanwhile.
    mutating func finishStart() -> RingSessionError? {
      isStarting = false
      return endOfStart
    }

    mutating func pause(_ isPaused: Bool) {
      ring?.isPaused = isPaused
      for stream in audio.keys { audio[stream]?.isPaused = isPaused }
    }
  }

  /// A handler for the app group of the extension's configuration.
  public init(configuration: BroadcastConfiguration) {
    self.configuration = configuration
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: configuration.container), timer: configuration.statusTimer,
      onSetAside: { configuration.report("The preferences were damaged; they were moved to \($0)") })
    super.init()
  }

  /// A handler with the ``BroadcastConfiguration/standard`` configuration, which must have been set: the system
  /// makes a principal class without parameters.
  public convenience override init() {
    guard let configuration = BroadcastConfiguration.standard else {
      preconditionFailure("Set BroadcastConfiguration.standard before a SampleHandler is made with init().")
    }
    self.init(configuration: configuration)
  }

  /// The session this handler broadcasts, once it has started.
  public var session: RingSession? { state.withLock { $0.ring?.session ?? $0.article?.session } }

  /// Takes the broadcast, reserves the memory of the frames, and says that the broadcast runs.
  open override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    state.withLock { $0.start() }
    var failure: (any Error)?
    do {
      try open()
      try statusManager.start()
    } catch {
      failure = error
    }
    if let error = state.withLock({ $0.finishStart() }) { return leave(with: error) }
    if let failure {
      return end(.cannotStart, "The broadcast cannot start: \(failure)", underlying: failure)
    }
    statusManager.subscribe(self)
    // The app may have turned the flag off before there was anybody to be told of a change.
    do { onChange(status: try statusManager.status) } catch {
      configuration.report("The status cannot be read: \(error)")
    }
  }

  /// Tells the app that no frames will come for a while.
  open override func broadcastPaused() { state.withLock { $0.pause(true) } }

  /// Tells the app that frames come again.
  open override func broadcastResumed() { state.withLock { $0.pause(false) } }

  /// Says that the broadcast is over: the person or the system ended it.
  open override func broadcastFinished() {
    // From here on the app's wish to stop, seen late, ends nothing any more.
    _ = state.withLock { $0.end() }
    statusManager.unsubscribe()
    close(with: nil)
  }

  /// Ends the broadcast from within, in order for the app too: the flag goes off, and the app learns the error.
  open override func finishBroadcastWithError(_ error: any Error) {
    if state.withLock({ $0.end() }) {
      let error = error as NSError
      leave(
        with: RingSessionError(domain: error.domain, code: error.code, text: error.localizedDescription))
    }
    super.finishBroadcastWithError(error)
  }

  /// Publishes a frame of the screen, or a packet of sound.
  open override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if sampleBufferType == .audioApp { return publish(sampleBuffer, to: .app) }
    if sampleBufferType == .audioMic { return publish(sampleBuffer, to: .microphone) }
    guard sampleBufferType == .video, let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else {
      return
    }
    do {
      try publish(
        pixelBuffer, orientation: sampleBuffer.orientationNumber ?? 1, captureTime: sampleBuffer.captureTime)
    } catch {
      end(.cannotPublish, "The broadcast cannot go on: \(error)", underlying: error)
    }
  }

  /// Ends the broadcast when the app has turned the flag off: only the extension can.
  public func onChange(status: Bool) {
    if !status { end(.completed, "Broadcast completed") }
  }

  /// Reports that the flag cannot be read; the broadcast goes on.
  public func onFailure(_ failure: KeyValueFile.Failure) {
    configuration.report("The status cannot be read: \(failure)")
  }

  private func open() throws {
    let container = configuration.container
    try container.prepare()
    try state.withLock { state in state.lock = try ProducerLock(path: container.producerLockFile) }
    // A flag that a crash left on would say that frames come before there is a place for them.
    try statusManager.stop()
    try state.withLock { state in
      switch configuration.layout {
      case .ring:
        state.ring = try FrameRingWriter(
          path: container.framesFile, slotCount: configuration.slotCount,
          payloadCapacity: PixelBufferSerializer.serializedSize(
            width: configuration.screenWidth, height: configuration.screenHeight))
      case .article:
        state.article = try ArticleFrameWriter(
          path: container.articleFile, width: configuration.screenWidth, height: configuration.screenHeight,
          session: RingSession(
            id: UInt64.random(in: 1...UInt64.max), processID: getpid(),
            startTime: SystemClock().now))
      }
      openAudio(&state)
    }
  }

  /// Has writers of sound ready, whose files are made with the first packets.
  private func openAudio(_ state: inout State) {
    guard let session = state.ring?.session ?? state.article?.session else { return }
    state.toldAudioDrops = [:]
    for stream in BroadcastAudioStream.allCases {
      let writer = AudioPacketWriter(path: configuration.container.audioFile(for: stream), session: session)
      do throws(StorageError) { try writer.removeLeftover() } catch {
        configuration.report("Sound of an earlier broadcast cannot be removed: \(error)")
      }
      state.audio[stream] = writer
    }
  }

  /// Publishes a packet of sound. One that does not travel is counted and left out, and so is all sound when there is no
  /// room for it: pictures go on without. It is reported once for each reason.
  private func publish(_ packet: CMSampleBuffer, to stream: BroadcastAudioStream) {
    state.withLock { state in
      do throws(AudioPacketWriter.Failure) { try state.audio[stream]?.write(packet) } catch {
        if state.toldAudioDrops[stream] != error { configuration.report("Sound is left out: \(error)") }
        state.toldAudioDrops[stream] = error
      }
    }
  }

  private func publish(_ pixelBuffer: CVPixelBuffer, orientation: UInt32, captureTime: MonotonicTime)
    throws
  {
    try state.withLock { state in
      if let article = state.article {
        return try publish(pixelBuffer, orientation: orientation, to: article, &state.toldDrop)
      }
      guard let ring = state.ring else { return }
      do throws(FrameRingWriter.PublishError<PixelBufferSerializer.Failure>) {
        try ring.publish(
          byteCount: try size(of: pixelBuffer), captureTime: captureTime, orientation: orientation
        ) { slot throws(PixelBufferSerializer.Failure) in
          try PixelBufferSerializer().serialize(pixelBuffer, into: &slot)
        }
      } catch {
        switch error {
        case .fill: ring.countDrop()  // A buffer that does not travel; the app sees the count.
        case .ring(let error): throw error
        }
      }
    }
  }

  /// Writes a frame in the article's layout. One that does not travel is left out: the file has no place to count it,
  /// so it is reported, once for each reason.
  private func publish(
    _ pixelBuffer: CVPixelBuffer, orientation: UInt32, to article: ArticleFrameWriter,
    _ toldDrop: inout ArticleFrameWriter.Failure?
  ) throws(ArticleFrameWriter.Failure) {
    do throws(ArticleFrameWriter.Failure) {
      try article.publish(pixelBuffer, orientation: orientation)
    } catch {
      if case .storage = error { throw error }
      if toldDrop != error { configuration.report("A frame is left out: \(error)") }
      toldDrop = error
    }
  }

  private func size(
    of pixelBuffer: CVPixelBuffer
  ) throws(FrameRingWriter.PublishError<PixelBufferSerializer.Failure>) -> Int {
    do { return try PixelBufferSerializer.serializedSize(of: pixelBuffer) } catch { throw .fill(error) }
  }

  private func end(_ code: ErrorCode, _ text: String, underlying: (any Error)? = nil) {
    // The app's wish and a failure may come at the same time, on two threads: the system is told of one.
    guard state.withLock({ $0.end() }) else { return }
    // What kept a broadcast from starting may keep it from being closed too: it is told once.
    leave(
      with: RingSessionError(domain: Self.errorDomain, code: code.rawValue, text: text),
      tellsFailures: code != .cannotStart)
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
    userInfo[NSUnderlyingErrorKey] = underlying
    finishBroadcastWithError(NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
  }

  private func leave(with error: RingSessionError, tellsFailures: Bool = true) {
    guard !state.withLock({ $0.leaveToStart(error) }) else { return }
    statusManager.unsubscribe()
    close(with: error, tellsFailures: tellsFailures)
  }

  /// Turns the flag off, ends the session for the app's readers, then leaves the lock: the order
  /// ``BroadcastCrashDetector`` expects. Without the lock the flag is another extension's, and stays.
  private func close(with error: RingSessionError?, tellsFailures: Bool = true) {
    guard state.withLock({ $0.lock != nil }) else { return }
    attempt(tellsFailures) { try statusManager.stop() }
    state.withLock { state in
      attempt(tellsFailures) { try state.ring?.finish(error: error) }
      attempt(tellsFailures) { try state.article?.finish() }
      for stream in state.audio.keys { attempt(tellsFailures) { try state.audio[stream]?.finish() } }
      attempt(tellsFailures) { try state.lock?.release() }
      (state.ring, state.article, state.audio, state.lock) = (nil, nil, [:], nil)
    }
  }

  private func attempt(_ tellsFailure: Bool, _ step: () throws -> Void) {
    do { try step() } catch {
      if tellsFailure { configuration.report("The broadcast was not closed in order: \(error)") }
    }
  }
}
