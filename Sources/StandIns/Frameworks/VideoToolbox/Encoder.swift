import CoreMedia
import Foundation
import Platform
import Synchronization

/// A process of ffmpeg that encodes frames of one format. The frames go to its stdin, and come encoded from its stdout.
/// The reader of the output kills the process if it hangs.
final class Encoder: Sendable {
  /// Receives an encoded frame: the frame's reference, a status, and the sample.
  ///
  /// Unchecked: as on a device, the closures of a handler are called on another thread. VideoToolbox does not mark them.
  @safe struct Output: @unchecked Sendable {
    let call: (UnsafeMutableRawPointer?, OSStatus, CMSampleBuffer?) -> Void
  }

  /// A frame that is being encoded. Unchecked because of the reference, which belongs to the handler.
  @safe struct Frame: @unchecked Sendable {
    let time: CMTime
    let duration: CMTime
    let reference: UnsafeMutableRawPointer?
    let output: Output
  }

  let arguments: [String]
  let input: EncoderInput
  private let settings: EncoderSettings
  private let process: EncoderProcess
  private let cancellation: Cancellation
  private let state = Mutex(State())
  /// Entered for each frame, left when the frame was passed on.
  private let pending = DispatchGroup()

  private struct State {
    var frames: [Frame] = []
    var firstTime: CMTime?
    var lastTicks: UInt64 = 0
    var hasEnded = false
    var hasFailed = false
  }

  init(
    _ program: EncoderProgram, _ settings: EncoderSettings, _ input: EncoderInput,
    _ cancellation: Cancellation
  ) throws {
    arguments = settings.arguments(for: input)
    self.input = input
    self.settings = settings
    self.cancellation = cancellation
    process = try EncoderProcess(program, arguments)
    try process.send(RawMatroska.header(of: input.track))
  }

  /// Whether the process ended unexpectedly, or its output cannot be read.
  var hasFailed: Bool { state.withLock(\.hasFailed) }

  /// Sends a frame. Returns `false` if the process has ended, or is about to end on request.
  func encode(_ image: CVPixelBuffer, _ frame: Frame, isKeyFrame: Bool) -> Bool {
    let ticks: UInt64? = state.withLock { state in
      guard !state.hasFailed, !state.hasEnded else { return nil }
      state.frames.append(frame)
      pending.enter()
      guard let first = state.firstTime else {
        // The first frame is always a key frame. The ticks of later frames count from its time.
        state.firstTime = frame.time
        return 0
      }
      let seconds = max(0, (frame.time - first).seconds)
      let even = 2 * UInt64(min(seconds, 1e9) * Double(RawMatroska.ticksPerSecond / 2))
      state.lastTicks = max(even, state.lastTicks + 2)
      return state.lastTicks + (isKeyFrame ? 1 : 0)
    }
    guard let ticks else { return false }
    do { try input.send(image, ticks: ticks, to: process) } catch {
      // The output has ended too. Its reader reports the failure of this frame, and of the frames before it.
    }
    return true
  }

  /// Lets the process encode the remaining frames, and exit.
  func end() {
    state.withLock { $0.hasEnded = true }
    process.endInput()
  }

  /// Kills the process and discards its output.
  func cancel() {
    state.withLock { $0.hasEnded = true }
    process.kill()
  }

  /// Waits until all frames have been passed to their outputs.
  func waitForOutputs() { pending.wait() }

  /// Reads the output of the process until its end, and passes each frame on.
  func callOutputs() {
    var fault: EncodedStream.Failure?
    do {
      var stream = EncodedStream(socket: process.socket, isHEVC: settings.isHEVC, size: settings.size) {
        [self] in
        process.waitForOutput { state.withLock { $0.hasEnded || !$0.frames.isEmpty } }
      }
      var format: CMFormatDescription?
      while let element = try stream.next() {
        switch element {
        case .format(let new): format = new
        case .frame(let data, let isKeyFrame): try deliver(data, isKeyFrame, format)
        }
      }
    } catch let error as EncodedStream.Failure {
      fault = error
    } catch {
      // The process has ended without reading all input.
    }
    let rest = state.withLock { state in
      state.hasFailed = !state.hasEnded || !state.frames.isEmpty
      return state.frames
    }
    if hasFailed {
      // Kill the process, so that a thread that sends a frame does not wait for a process whose output is invalid.
      process.kill()
      if !isCancelled {
        let failure = fault.map { process.failure($0.description) } ?? process.failure()
        EncoderProgram.report("\(settings.codecName) is not encoded: \(failure)")
      }
    }
    for frame in rest { pass(nil, kVTVideoEncoderMalfunctionErr, to: frame) }
  }

  private func deliver(_ data: [UInt8], _ isKeyFrame: Bool, _ format: CMFormatDescription?) throws {
    guard let frame = state.withLock(\.frames.first), let format,
      let block = CMBlockBuffer(copying: data.span)
    else { throw EncodedStream.Failure.unexpected }
    let sample = CMSampleBuffer(
      encoded: block, isKeyFrame: isKeyFrame, formatDescription: format,
      timing: CMSampleTimingInfo(
        duration: frame.duration, presentationTimeStamp: frame.time, decodeTimeStamp: .invalid))
    state.withLock { _ = $0.frames.removeFirst() }
    pass(sample, 0, to: frame)
  }

  private func pass(_ sample: CMSampleBuffer?, _ status: OSStatus, to frame: Frame) {
    // UNSAFE: the handler's reference, passed on unchanged.
    if !isCancelled { unsafe frame.output.call(frame.reference, status, sample) }
    pending.leave()
  }

  private var isCancelled: Bool { cancellation.isCancelled.load(ordering: .acquiring) }
}

/// Whether the outputs of a session are no longer wanted.
final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}
