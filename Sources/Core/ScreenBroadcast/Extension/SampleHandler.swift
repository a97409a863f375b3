import CoreMedia
import Foundation
import Platform
import ReplayKitCore
import SharedMemory
import Synchronization

/// The principal class of the extension: publishes the screen's frames and the audio for the app.
///
/// ReplayKit calls it with one sample at a time. It turns the flag on when the broadcast starts and off when the system
/// ends it. When the app turns the flag off, it ends the broadcast itself.
open class SampleHandler: RPBroadcastSampleHandler, BroadcastStatusSubscriber, @unchecked Sendable {
  // Why unchecked: the framework's base class is not Sendable. What this class adds is constant or in `state`.

  /// The domain of the errors a broadcast ends with.
  public static let errorDomain = "ScreenShareBroadcastExtension"

  /// The codes of the errors a broadcast ends with.
  public enum ErrorCode: Int, Sendable {
    /// The app turned the flag off. The system's dialog shows the text, unless the configuration
    /// ``BroadcastConfiguration/completesGracefully``.
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
    var phase = Phase.idle
    var lock: ProcessLock?
    var writers: BroadcastWriters?
    var closeFailure: (any Error)?
  }

  private enum Phase {
    case idle, starting, live
    /// Another thread has ended the broadcast before the start, which then opens nothing.
    case endedEarly
    /// The start is to end the session, with an error for the app's readers: it is still opening files.
    case endsAtStart(RingSessionError?)
    case ended
  }

  /// A handler for the app group of the extension's configuration.
  public init(configuration: BroadcastConfiguration) {
    self.configuration = configuration
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: configuration.container), timer: configuration.statusTimer,
      onSetAside: { configuration.report("The preferences were damaged; they were moved to \($0)") })
    super.init()
  }

  /// A handler with the ``BroadcastConfiguration/standard`` configuration, which must be set before: the system makes
  /// a principal class without parameters.
  public convenience override init() {
    guard let configuration = BroadcastConfiguration.standard else {
      preconditionFailure("Set BroadcastConfiguration.standard before a SampleHandler is made with init().")
    }
    self.init(configuration: configuration)
  }

  /// The session this handler broadcasts; `nil` before the start and after the end.
  public var session: RingSession? { state.withLock { $0.writers?.session } }

  /// Why the session was not closed in order: the flag may still be on. `nil` when it was, and before the end.
  package var closeFailure: (any Error)? { state.withLock { $0.closeFailure } }

  /// Takes the producer's lock, reserves the memory of the frames, and turns the flag on.
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
    // The app may have turned the flag off before the first poll, which reports changes only.
    do { onChange(status: try statusManager.status) } catch { onFailure(error) }
  }

  /// Marks the session as paused for the app.
  open override func broadcastPaused() { state.withLock { $0.writers?.setPaused(true) } }

  /// Marks the session as live for the app.
  open override func broadcastResumed() { state.withLock { $0.writers?.setPaused(false) } }

  /// Ends the session without an error: the person or the system ended the broadcast.
  open override func broadcastFinished() { endSession(with: nil) }

  /// Ends the session with an error that the app can read, then the broadcast.
  open override func finishBroadcastWithError(_ error: any Error) {
    let error = error as NSError
    endSession(
      with: RingSessionError(domain: error.domain, code: error.code, text: error.localizedDescription))
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

  /// Ends the broadcast when its container is gone, although the flag is on in a copy at the same path.
  public func onPoll() {
    if let loss { endPublishing(because: loss) }
  }

  /// Ends the broadcast when the app has turned the flag off: only the extension can end it.
  public func onChange(status: Bool) {
    guard !status else { return }
    // In another folder at the same path the flag is off too, but no app has turned it off.
    if let loss { return endPublishing(because: loss) }
    end(.completed, "Broadcast completed")
  }

  /// Reports that the flag cannot be read; the broadcast continues, unless its container is gone.
  public func onFailure(_ failure: FileError) {
    if let loss { return endPublishing(because: loss) }
    configuration.report("The status cannot be read: \(failure)")
  }

  /// The error of a container that was moved or removed during the broadcast: apps look for the session at its path.
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
    // A crash may have left the flag on. The app must not see it on before there is a file of frames.
    try statusManager.stop()
    try state.withLock { $0.writers = try BroadcastWriters(configuration: configuration) }
    for stream in BroadcastAudioStream.allCases {
      do throws(FileError) { try PlainFile.remove(container.audioFile(for: stream)) } catch {
        configuration.report("Audio of an earlier broadcast cannot be removed: \(error)")
      }
    }
  }

  /// Ends session and broadcast, unless they are over.
  private func end(_ code: ErrorCode, _ text: String, underlying: (any Error)? = nil) {
    // The reason that prevents a start may prevent the closing too; one report of it is enough.
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

  /// Ends the session once, on any thread: turns the flag off, ends the session for the app's readers, then releases the
  /// lock. ``BroadcastCrashDetector`` expects this order. Without the lock the flag belongs to another extension, and stays.
  /// - Returns: whether it was not over yet.
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
    // `broadcastStarted` is still opening files on another thread; it ends the session.
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
    for failure in failures { configuration.report("The broadcast was not closed in order: \(failure)") }
    return true
  }
}
