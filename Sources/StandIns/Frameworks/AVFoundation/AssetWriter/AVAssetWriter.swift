import EmulatedDevice
import Foundation
import Platform
import Synchronization
import VideoToolbox

/// A process of ffmpeg encodes each track, and a further process writes the file at the end. Until then the file is
/// empty. As on a device, the movie is lost if the writer's process ends before. Calls that raise an exception on a
/// device crash the process here. May be used on any thread.
open class AVAssetWriter: NSObject, RecordedWriter, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; its properties are constant, or protected by the mutex.

  public enum Status: Int, Sendable {
    case unknown, writing, completed, failed, cancelled
  }

  struct Session: Sendable {
    var start = CMTime.invalid
    var end = CMTime.positiveInfinity
  }

  private struct State {
    var status = Status.unknown
    var isFinishing = false
    var error: AVError?
    var inputs: [AVAssetWriterInput] = []
    var session: Session?
    var program: EncoderProgram?
    var isOptimized = false
    var mixesAudio = false
    var fragmentInterval = CMTime.invalid
    var timeScale: CMTimeScale = 0
    var observation: DeviceObservation?
    var finishCall: Double?
  }

  public let outputURL: URL
  public let outputFileType: AVFileType
  private let state = Mutex(State())
  /// Held while the file is written or removed.
  private let file = Mutex(())

  /// Throws if the stand-in does not write the format.
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    guard outputFileType.container != nil, outputURL.isFileURL else {
      let reason = "The emulator writes mov, mp4, m4v, m4a, caf, wav and aiff to files."
      throw AVError(.unsupportedOutputSettings, reason)
    }
    self.outputURL = outputURL
    self.outputFileType = outputFileType
  }

  public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
    try self.init(outputURL: outputURL, fileType: outputFileType)
  }

  open var status: Status { state.withLock(\.status) }
  open var error: (any Error)? { state.withLock(\.error) }
  open var inputs: [AVAssetWriterInput] { state.withLock(\.inputs) }
  open var availableMediaTypes: [AVMediaType] {
    [.m4a, .caf, .wav, .aiff].contains(outputFileType) ? [.audio] : [.video, .audio]
  }
  open var shouldOptimizeForNetworkUse: Bool {
    get { state.withLock(\.isOptimized) }
    set { state.withLock { $0.isOptimized = newValue } }
  }
  /// Whether audio tracks are mixed into one (for recordings by the system).
  package var mixesAudio: Bool {
    get { state.withLock(\.mixesAudio) }
    set { state.withLock { $0.mixesAudio = newValue } }
  }
  /// Without effect: the file is empty until the writer finishes.
  open var movieFragmentInterval: CMTime {
    get { state.withLock(\.fragmentInterval) }
    set { state.withLock { $0.fragmentInterval = newValue } }
  }
  /// Without effect.
  open var movieTimeScale: CMTimeScale {
    get { state.withLock(\.timeScale) }
    set { state.withLock { $0.timeScale = newValue } }
  }

  open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
    availableMediaTypes.contains(mediaType) && TrackSettings.isSupported(outputSettings, mediaType)
  }

  open func canAdd(_ input: AVAssetWriterInput) -> Bool {
    status == .unknown && !inputs.contains(input)
      && canApply(outputSettings: input.outputSettings, forMediaType: input.mediaType)
  }

  open func add(_ input: AVAssetWriterInput) {
    require(.unknown, "addInput:")
    guard availableMediaTypes.contains(input.mediaType) else {
      raise("addInput:", "In order to add media type \(input.mediaType.rawValue), use another file type")
    }
    guard !inputs.contains(input) else {
      return NSLog("%@", "AVAssetWriter: an input is added twice. The effect on a device is not known.")
    }
    state.withLock { $0.inputs.append(input) }
    input.attach(self)
  }

  open func canAdd(_ inputGroup: AVAssetWriterInputGroup) -> Bool {
    status == .unknown && inputGroup.inputs.allSatisfy(inputs.contains)
  }

  /// Without effect on the file. On a device, players offer a choice among the tracks of a group.
  open func add(_ inputGroup: AVAssetWriterInputGroup) { require(.unknown, "addInputGroup:") }

  /// Also returns `false` if there is no ffmpeg, or no encoder for the settings. The log has the reason.
  @discardableResult
  open func startWriting() -> Bool { startWriting(by: EncoderProgram.find()) }

  func startWriting(by program: EncoderProgram?) -> Bool {
    require(.unknown, "startWriting")
    guard let program else {
      let reason = "encoding needs ffmpeg in $PATH: install ffmpeg with libx264"
      EncoderProgram.report(reason, by: "AVAssetWriter")
      return fail(AVError(.encoderNotFound, reason))
    }
    for input in inputs where !TrackSettings.isSupported(input.outputSettings, input.mediaType) {
      let reason = "the emulator encodes H.264, HEVC, AAC and linear PCM"
      EncoderProgram.report(reason, by: "AVAssetWriter")
      return fail(AVError(.encoderNotFound, reason))
    }
    guard !FileManager.default.fileExists(atPath: outputURL.path) else {
      return fail(AVError(.fileAlreadyExists, "There is a file of this name already."))
    }
    do { try Data().write(to: outputURL) } catch { return fail(AVError(.unknown, "\(error)")) }
    let observation = Device.current.observe { [weak self] device, old, new in
      guard device.losesEncoders(from: old, to: new) else { return }
      self?.fail(AVError(.operationInterrupted, "The app went to the background.", underlying: -16121))
    }
    state.withLock { ($0.status, $0.program, $0.observation) = (.writing, program, observation) }
    AVAssetWriterRecord.tell(.started(self))
    for input in inputs { input.callRequest() }
    return true
  }

  open func startSession(atSourceTime startTime: CMTime) {
    require(.writing, "startSessionAtSourceTime:")
    guard startTime.isNumeric else {
      raise("startSessionAtSourceTime:", "invalid parameter: the time is not numeric")
    }
    state.withLock { $0.session = Session(start: startTime) }
  }

  open func endSession(atSourceTime endTime: CMTime) {
    require(.writing, "endSessionAtSourceTime:")
    state.withLock { $0.session?.end = endTime }
  }

  /// Calls `handler` on a queue of the writer. A second call is an exception, even during the first call, unless the
  /// writer has failed or was cancelled.
  open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    let (status, isAgain, inputs) = state.withLock { state in
      defer {
        (state.isFinishing, state.finishCall) = (true, state.finishCall ?? AVAssetWriterRecord.Track.now)
      }
      return (state.status, state.isFinishing, state.inputs)
    }
    if status == .unknown || status == .completed || status == .writing && isAgain {
      raise("finishWritingWithCompletionHandler:", "Cannot call method when status is \(status.rawValue)")
    }
    AVAssetWriterRecord.tell(.finishing(ObjectIdentifier(self)))
    let group = DispatchGroup()
    for input in inputs { input.end(in: group) }
    group.notify(queue: .global(qos: .userInitiated)) { [self] in
      file.withLock { _ in if self.status == .writing { complete(inputs) } }
      // The files of the tracks are no longer needed.
      for input in inputs { input.cancel() }
      handler()
    }
  }

  open nonisolated(nonsending) func finishWriting() async {
    await withCheckedContinuation { continuation in finishWriting { continuation.resume() } }
  }

  /// If the file is being completed, the call waits for that.
  open func cancelWriting() {
    let (status, inputs) = state.withLock { state in
      defer { if state.status == .writing || state.status == .unknown { state.status = .cancelled } }
      return (state.status, state.inputs)
    }
    guard status == .writing else { return }
    for input in inputs { input.cancel() }
    file.withLock { _ in remove() }
    AVAssetWriterRecord.tell(.ended(record))
  }

  private func complete(_ inputs: [AVAssetWriterInput]) {
    let recorded = inputs.compactMap { input in input.track.map { (type: input.mediaType, track: $0) } }
    let tracks = recorded.map(\.track)
    let (program, isOptimized, mixesAudio) = state.withLock { ($0.program, $0.isOptimized, $0.mixesAudio) }
    guard let program, let container = outputFileType.container, !tracks.isEmpty else {
      fail(AVError(.unknown, "No samples were appended."))
      return
    }
    do {
      let mixed = mixesAudio ? recorded.indices.filter { recorded[$0].type == .audio } : []
      try MovieFile(url: outputURL, container: container, isOptimized: isOptimized, mixed: mixed)
        .write(tracks, by: program)
      let isComplete = state.withLock { state in
        if state.status == .writing { state.status = .completed }
        return state.status == .completed
      }
      if isComplete { AVAssetWriterRecord.tell(.ended(record)) }
    } catch { fail(AVError(.encodeFailed, "\(error)")) }
  }

  private func remove() {
    do { try FileManager.default.removeItem(at: outputURL) } catch {
      NSLog("%@", "AVAssetWriter: the file cannot be removed: \(error)")
    }
  }

  /// Sets the status to failed, unless the writer has ended. Always returns `false`.
  @discardableResult
  func fail(_ error: AVError) -> Bool {
    let earlier = state.withLock { state in
      let earlier = state.status
      if earlier == .unknown || earlier == .writing { (state.status, state.error) = (.failed, error) }
      return earlier
    }
    if earlier == .writing { AVAssetWriterRecord.tell(.ended(record)) }
    if earlier == .unknown || earlier == .writing {
      NSLog(
        "%@", "AVAssetWriter: \(outputURL.lastPathComponent) is not written: \(error.failureReason ?? "")")
    }
    return false
  }

  package var record: AVAssetWriterRecord {
    let state = state.withLock(\.self)
    var record = AVAssetWriterRecord(
      writer: ObjectIdentifier(self), url: outputURL,
      status: .init(rawValue: state.status.rawValue) ?? .unknown,
      failure: state.error?.failureReason,
      start: state.session?.start.seconds, finishCall: state.finishCall, tracks: state.inputs.map(\.recorded))
    record.failureCode = state.error?.underlying
    return record
  }

  /// Returns the session and the program for an input's samples; `nil` if the writer no longer accepts samples.
  func session(for method: String) -> (session: Session, program: EncoderProgram)? {
    let (status, isFinishing, session, program) = state.withLock {
      ($0.status, $0.isFinishing, $0.session, $0.program)
    }
    if status == .unknown {
      raise(method, "Cannot call method when status is 0", class: "AVAssetWriterInput")
    }
    guard status == .writing, !isFinishing, let program else { return nil }
    guard let session else {
      raise(
        method,
        "Cannot append sample buffer: Must start a session (using -[AVAssetWriter startSessionAtSourceTime:]) first",
        class: "AVAssetWriterInput")
    }
    return (session, program)
  }

  private func require(_ wanted: Status, _ method: String) {
    let status = status
    if status != wanted { raise(method, "Cannot call method when status is \(status.rawValue)") }
  }
}

/// Crashes the process with the message of an exception. Swift cannot catch exceptions of AVFoundation.
func raise(_ method: String, _ reason: String, class name: String = "AVAssetWriter") -> Never {
  fatalError("NSInternalInconsistencyException: *** -[\(name) \(method)] \(reason)")
}
