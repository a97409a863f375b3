import EmulatedDevice
import Foundation
import PixelAccess
import Platform
import Synchronization

// Models VideoToolbox/VTCompressionSession.h for H.264 and HEVC. The encoder is ffmpeg with libx264 or libx265.

/// As on a device, the encoder is a separate process, so its memory does not count for the extension. It starts with
/// the first frame. A change of a property or of the frames' size begins with a key frame. May be used on any thread.
public final class VTCompressionSession: Sendable {
  fileprivate let callback: Encoder.Output?
  private let program: EncoderProgram
  /// Never locked while a frame is sent.
  private let state: Mutex<State>
  /// The time of the latest key frame. Locked while a frame is sent, so frames are sent in the order of the calls.
  private let lastKeyFrame = Mutex(CMTime.invalid)
  /// Calls the outputs of all encoders of the session, one encoder after the other.
  private let outputs = DispatchQueue(label: "VTCompressionSession.outputs")
  private let cancellation = Cancellation()

  init(settings: EncoderSettings, program: EncoderProgram, callback: Encoder.Output?) {
    state = Mutex(State(settings: settings))
    self.program = program
    self.callback = callback
    let observation = Device.current.observe { [weak self] device, old, new in
      guard new.isLocked && !old.isLocked || device.losesEncoders(from: old, to: new) else { return }
      self?.state.withLock { $0.isLost = true }
    }
    state.withLock { $0.observation = observation }
  }

  deinit { invalidate() }

  private struct State {
    var settings: EncoderSettings
    var encoder: Encoder?
    var isInvalidated = false
    /// Whether the device was locked, or the app left the foreground.
    var isLost = false
    var observation: DeviceObservation?
  }

  /// Zero, or the reason why the session can no longer be used.
  var status: OSStatus {
    state.withLock { state in
      guard !state.isInvalidated, !state.isLost else { return kVTInvalidSessionErr }
      return state.encoder?.hasFailed == true ? kVTVideoEncoderMalfunctionErr : 0
    }
  }

  func set(_ key: String, _ value: Any?) -> OSStatus {
    guard status == 0 else { return status }
    return state.withLock { $0.settings.set(key, value) }
  }

  fileprivate func encode(_ image: CVPixelBuffer, _ frame: Encoder.Frame, isForced: Bool) -> OSStatus {
    guard let input = EncoderInput(of: image) else { return kVTPixelTransferNotSupportedErr }
    guard frame.time.isNumeric else { return kVTParameterErr }
    return lastKeyFrame.withLock { lastKeyFrame in
      guard status == 0 else { return status }
      let settings = state.withLock(\.settings)
      var encoder = state.withLock(\.encoder)
      if encoder?.arguments != settings.arguments(for: input) || encoder?.input != input {
        let started: Encoder
        do { started = try Encoder(program, settings, input, cancellation) } catch {
          EncoderProgram.report("\(error)")
          return kVTVideoEncoderMalfunctionErr
        }
        // The queue finishes the output of this encoder before the output of the next one.
        encoder?.end()
        encoder = started
        let isCurrent = state.withLock { state in
          if !state.isInvalidated { state.encoder = started }
          return !state.isInvalidated
        }
        guard isCurrent else { return kVTInvalidSessionErr }
        outputs.async { started.callOutputs() }
        lastKeyFrame = .invalid
      }
      let isDue = settings.needsKeyFrame(at: frame.time, after: lastKeyFrame)
      if isForced || isDue || !lastKeyFrame.isNumeric { lastKeyFrame = frame.time }
      if encoder?.encode(image, frame, isKeyFrame: isForced || isDue) == true { return 0 }
      // Another thread may have invalidated the session.
      return status == 0 ? kVTVideoEncoderMalfunctionErr : status
    }
  }

  fileprivate func waitForOutputs() { state.withLock(\.encoder)?.waitForOutputs() }

  fileprivate func invalidate() {
    cancellation.isCancelled.store(true, ordering: .releasing)
    state.withLock { state in
      state.isInvalidated = true
      state.encoder?.cancel()
      state.encoder = nil
    }
  }
}

/// Called on a queue of the session, in the order of the frames.
///
/// VideoToolbox takes a C function, so a closure must not capture anything. The stand-in does not check this.
public typealias VTCompressionOutputCallback = (
  UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
) -> Void

/// Called on a queue of the session.
public typealias VTCompressionOutputHandler = (OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void

/// Odd numbers of pixels are rounded down. The codec is H.264, or HEVC if ffmpeg is 5.1 or later. The specification,
/// the attributes and both allocators are ignored.
/// - Returns: zero; `kVTParameterErr` for an impossible size; `kVTCouldNotFindVideoEncoderErr` for another codec, and
///   if `$PATH` has no ffmpeg, which is logged once.
@discardableResult
public func VTCompressionSessionCreate(
  allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType,
  encoderSpecification: CFDictionary?, imageBufferAttributes: CFDictionary?,
  compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
  refcon: UnsafeMutableRawPointer?, compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
) -> OSStatus {
  guard (2...16384).contains(width), (2...16384).contains(height) else { return kVTParameterErr }
  guard [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC].contains(codecType) else {
    EncoderProgram.report(
      "only H.264 and HEVC can be encoded here: create the session with kCMVideoCodecType_H264")
    return kVTCouldNotFindVideoEncoderErr
  }
  var settings = EncoderSettings(size: CMVideoDimensions(width: width & ~1, height: height & ~1))
  settings.isHEVC = codecType == kCMVideoCodecType_HEVC
  guard let program = EncoderProgram.find() else {
    EncoderProgram.report(
      "\(settings.codecName) needs ffmpeg in $PATH: install ffmpeg with \(settings.library)")
    return kVTCouldNotFindVideoEncoderErr
  }
  // UNSAFE: the callback's own argument, passed on unchanged, and the caller's out parameter.
  nonisolated(unsafe) let reference = unsafe refcon
  unsafe compressionSessionOut.pointee = VTCompressionSession(
    settings: settings, program: program,
    callback: outputCallback.map { callback in
      unsafe Encoder.Output { frame, status, sample in
        unsafe callback(reference, frame, status, .asynchronous, sample)
      }
    })
  return 0
}

/// Without effect: the encoder starts with the first frame, because it needs its format.
@discardableResult
public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus {
  session.status
}

/// The image may be changed after the call has returned. While the encoder is busy with the previous frame, the call waits.
/// - Returns: zero; `kVTInvalidSessionErr`; `kVTVideoEncoderMalfunctionErr`; `kVTParameterErr` for a session without a
///   callback, and for a time that is not numeric; `kVTPixelTransferNotSupportedErr` for a pixel format other than
///   420f, 420v and 32BGRA.
@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?, sourceFrameRefcon: UnsafeMutableRawPointer?,
  infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?
) -> OSStatus {
  guard let callback = session.callback else { return kVTParameterErr }
  // UNSAFE: the callback's own argument, passed on unchanged, and the caller's out parameter.
  unsafe infoFlagsOut?.pointee = .asynchronous
  let frame = unsafe Encoder.Frame(
    time: presentationTimeStamp, duration: duration, reference: sourceFrameRefcon, output: callback)
  return session.encode(imageBuffer, frame, isForced: isKeyFrameForced(by: frameProperties))
}

@discardableResult
public func VTCompressionSessionEncodeFrame(
  _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime,
  duration: CMTime, frameProperties: CFDictionary?, infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?,
  outputHandler: @escaping VTCompressionOutputHandler
) -> OSStatus {
  guard session.callback == nil else { return kVTParameterErr }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe infoFlagsOut?.pointee = .asynchronous
  let frame = unsafe Encoder.Frame(
    time: presentationTimeStamp, duration: duration, reference: nil,
    output: Encoder.Output { _, status, sample in outputHandler(status, .asynchronous, sample) })
  return session.encode(imageBuffer, frame, isForced: isKeyFrameForced(by: frameProperties))
}

/// Ignores `completeUntilPresentationTimeStamp`: it waits for all frames.
@discardableResult
public func VTCompressionSessionCompleteFrames(
  _ session: VTCompressionSession, untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
) -> OSStatus {
  guard session.status != kVTInvalidSessionErr else { return kVTInvalidSessionErr }
  // Also after a failure: if the encoder has just failed, it may not have passed its frames on yet.
  session.waitForOutputs()
  return session.status
}

/// Frames that are not encoded yet are dropped without a call.
public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) { session.invalidate() }

private func isKeyFrameForced(by properties: CFDictionary?) -> Bool {
  (properties?[kVTEncodeFrameOptionKey_ForceKeyFrame] as? NSNumber)?.boolValue ?? false
}
