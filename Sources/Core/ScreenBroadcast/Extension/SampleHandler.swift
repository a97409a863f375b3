import CoreMedia
import EmulatedDevice
import Foundation
import Platform
import ReplayKitCore
import SharedMemory
import Synchronization

/// The principal class of the extension. It publishes the screen's frames and the audio to the app.
///
/// ReplayKit calls it with one sample at a time. The handler turns the flag on when the broadcast starts, and off when the system
/// ends the broadcast. If the app turns the flag off, the handler ends the broadcast itself.
open class SampleHandler: RPBroadcastSampleHandler, BroadcastStatusSubscriber, @unchecked Sendable {
  // Why unchecked: the framework's base class is not Sendable. The properties of this class are constant or protected by `state`.

  /// The domain of the errors that end a broadcast.
  public static let errorDomain = "ScreenShareBroadcastExtension"

  /// The codes of the errors that end a broadcast.
  public enum ErrorCode: Int, Sendable {
    /// The app turned the flag off. The system's dialog shows the text of the error, unless
    /// ``BroadcastConfiguration/completesGracefully`` is set: then the broadcast ends without an error.
    case completed = 1
    /// The broadcast could not be started.
    case cannotStart = 2
    /// Frames can no longer be published.
    case cannotPublish = 3
  }

  private let configuration: BroadcastConfiguration
  private let statusManager: BroadcastStatusManagerImpl
  private let state = Mutex(State())

  private struct State {
    var phase = Phase.idle
    var lock: ProcessLock?
    var writers: BroadcastWriters?
    var closeFailure: (any Error)?
  }

  private enum Phase {
    case idle, starting, live
    /// Another thread ended the broadcast before the start, so the start opens nothing.
    case endedEarly
    /// The session was ended while the start was still opening files (perhaps with an error for the app's readers). The start then
    /// ends it.
    case endsAtStart(RingSessionError?)
    case ended
  }

  /// Creates a handler with a configuration.
  public init(configuration: BroadcastConfiguration) {
    self.configuration = configuration
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: configuration.container), timer: configuration.statusTimer,
      onSetAside: { configuration.report("The preferences were damaged; they were moved to \($0)") })
    super.init()
  }

  /// Creates a handler with the ``BroadcastConfiguration/standard`` configuration, because the system creates a principal class
  /// without parameters. The configuration must be set before.
  public convenience override init() {
    guard let configuration = BroadcastConfiguration.standard else {
      preconditionFailure("Set BroadcastConfiguration.standard before a SampleHandler is made with init().")
    }
    self.init(configuration: configuration)
  }

  /// The session of the broadcast; `nil` before the start and after the end.
  public var session: RingSession? { state.withLock { $0.writers?.session } }

  /// Why closing the session failed (the flag may still be on); `nil` if it succeeded, and before the end.
  package var closeFailure: (any Error)? { state.withLock { $0.closeFailure } }

  /// Acquires the producer's lock, reserves the memory of the frames, and turns the flag on.
  open override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let isDue = state.withLock { state in
      if case .endedEarly = state.phase {
        state.phase = .idle
        return false
      }
      state.phase = .starting
      return true
    }
    guard isDue else { return }
    var failure: (any Error)?
    do {
      try open()
      try statusManager.start()
      statusManager.subscribe(self)
    } catch {
      failure = error
    }
    let error = state.withLock { state -> RingSessionError?? in
      defer { state.phase = .live }
      return if case .endsAtStart(let error) = state.phase { error } else { nil }
    }
    if let error {
      endSession(with: error)
      return
    }
    if let failure {
      return end(.cannotStart, "The broadcast cannot start: \(failure)", underlying: failure)
    }
    // The app may have turned the flag off before the first poll. Polls report only changes.
    do { onChange(status: try statusManager.status) } catch { onFailure(error) }
  }

  /// Marks the session as paused for the app.
  open override func broadcastPaused() { state.withLock { $0.writers?.setPaused(true) } }

  /// Marks the session as live for the app.
  open override func broadcastResumed() { state.withLock { $0.writers?.setPaused(false) } }

  /// Ends the session without an error, because the person or the system ended the broadcast.
  open override func broadcastFinished() { endSession(with: nil) }

  /// Ends the session with an error that the app can read, and then the broadcast.
  open override func finishBroadcastWithError(_ error: any Error) {
    let error = error as NSError
    endSession(with: RingSessionError(domain: error.domain, code: error.code, text: error.textOnDevice))
    super.finishBroadcastWithError(error)
  }

  /// Publishes a frame of the screen, or a packet of audio.
  open override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    do {
      let problem = try state.withLock { try $0.writers?.publish(sampleBuffer, as: sampleBufferType) }
      if let problem { configuration.report(problem) }
    } catch {
      endPublishing(because: loss ?? error)
    }
  }

  /// Ends the broadcast if its container is gone, even if a copy at the same path has the flag on.
  public func onPoll() {
    if let loss { endPublishing(because: loss) }
  }

  /// Ends the broadcast if the app has turned the flag off. Only the extension can end it.
  public func onChange(status: Bool) {
    guard !status else { return }
    // In another folder at the same path the flag is off too, although no app turned it off.
    if let loss { return endPublishing(because: loss) }
    end(.completed, "Broadcast completed")
  }

  /// Reports that the flag cannot be read. The broadcast continues, unless its container is gone.
  public func onFailure(_ failure: FileError) {
    if let loss { return endPublishing(because: loss) }
    configuration.report("The status cannot be read: \(failure)")
  }

  /// The error of a container that was moved or removed during the broadcast. Apps look for the session at the container's path.
  private var loss: FileError? {
    let path = configuration.container.producerLockFile
    guard let lock = state.withLock({ $0.lock }) else { return nil }
    do throws(FileError) {
      return try lock.isInPlace(at: path) ? nil : FileError(.moved, configuration.container.folder)
    } catch {
      return error
    }
  }

  private func endPublishing(because error: any Error) {
    end(.cannotPublish, "The broadcast cannot continue: \(error)", underlying: error)
  }

  private func open() throws {
    let container = configuration.container
    try container.prepare()
    try state.withLock { state in state.lock = try ProcessLock(path: container.producerLockFile) }
    // A crash may have left the flag on. The app must not see it on before the file of frames exists.
    try statusManager.stop()
    try state.withLock { $0.writers = try BroadcastWriters(configuration: configuration) }
    for stream in BroadcastAudioStream.allCases {
      do throws(FileError) { try PlainFile.remove(container.audioFile(for: stream)) } catch {
        configuration.report("Audio of an earlier broadcast cannot be removed: \(error)")
      }
    }
  }

  /// Ends the session and the broadcast, unless they have ended.
  private func end(_ code: ErrorCode, _ text: String, underlying: (any Error)? = nil) {
    // The problem that prevents a start may also prevent closing; one report is enough.
    let reportsFailures = code != .cannotStart && (underlying as? FileError)?.reason != .moved
    let isGraceful = code == .completed && configuration.completesGracefully
    guard
      endSession(
        with: isGraceful ? nil : RingSessionError(domain: Self.errorDomain, code: code.rawValue, text: text),
        reportsFailures: reportsFailures)
    else { return }
    if isGraceful { return finishBroadcastGracefully(self) }
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
    userInfo[NSUnderlyingErrorKey] = underlying
    finishBroadcastWithError(NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
  }

  /// Ends the session once, on any thread: turns the flag off, ends the session for the app's readers, and then releases the
  /// lock. ``BroadcastCrashDetector`` relies on this order. Without the lock, the flag belongs to another extension and is not
  /// changed.
  /// - Returns: `false` if the session had already been ended.
  @discardableResult
  private func endSession(with error: RingSessionError?, reportsFailures: Bool = true) -> Bool {
    let phase = state.withLock { state in
      let phase = state.phase
      switch phase {
      case .idle: state.phase = .endedEarly
      case .starting: state.phase = .endsAtStart(error)
      case .live: state.phase = .ended
      case .endedEarly, .endsAtStart, .ended: break
      }
      return phase
    }
    switch phase {
    case .endedEarly, .endsAtStart, .ended: return false
    // `broadcastStarted` is still opening files on another thread, and will end the session.
    case .starting: return true
    case .idle, .live: statusManager.unsubscribe()
    }
    guard state.withLock({ $0.lock != nil }) else { return true }
    var failures: [any Error] = []
    do { try statusManager.stop() } catch { failures.append(error) }
    failures += state.withLock { state in
      var failures = state.writers?.finish(error: error) ?? []
      do { try state.lock?.release() } catch { failures.append(error) }
      (state.writers, state.lock) = (nil, nil)
      return failures
    }
    state.withLock { $0.closeFailure = failures.first }
    guard reportsFailures else { return true }
    for failure in failures { configuration.report("The broadcast was not closed properly: \(failure)") }
    return true
  }
}
