import CoreMedia
import Foundation

// Models the part of AudioToolbox/AudioConverter.h that converts the rate, channels and samples of linear PCM.

/// A reference-counted object here, an opaque pointer on Apple's platforms. Use it on one thread at a time.
public typealias AudioConverterRef = AudioConverter

/// The class of ``AudioConverterRef``. Apple has no such name; code uses the alias.
public final class AudioConverter {
  let source: PCMSamples
  let target: PCMSamples
  /// The source frames that wait, with the channels interleaved.
  private var waiting: [Float] = []
  /// The position of the next target frame, in waiting frames.
  private var position = 0.0

  fileprivate init(_ source: PCMSamples, _ target: PCMSamples) {
    self.source = source
    self.target = target
  }

  fileprivate func reset() { (waiting, position) = ([], 0) }

  private var waitingFrames: Int { waiting.count / source.channels }

  /// Adds source frames.
  func add(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) {
    for frame in 0..<frames {
      for channel in 0..<source.channels {
        // UNSAFE: the frames are within the list.
        waiting.append(unsafe source.read(list, frame: frame, channel: channel))
      }
    }
  }

  /// Whether the next target frame is between two waiting frames, or at one.
  var hasNext: Bool { Int(position.rounded(.up)) < waitingFrames }

  /// Writes the next target frame, interpolated between two source frames. Returns `false` after the last frame.
  func writeNext(_ list: UnsafeMutableAudioBufferListPointer, frame: Int) -> Bool {
    let index = Int(position)
    guard index < waitingFrames else { return false }
    let share = Float(position - Double(index))
    let first = index * source.channels
    let second = min(index + 1, waitingFrames - 1) * source.channels
    for channel in 0..<target.channels {
      let from = min(channel, source.channels - 1)
      let (left, right) = (waiting[first + from], waiting[second + from])
      // UNSAFE: the caller has compared the frame with the list.
      unsafe target.write(left + (right - left) * share, list, frame: frame, channel: channel)
    }
    position += source.rate / target.rate
    // Remove frames that are no longer needed, many at a time.
    let passed = min(Int(position), waitingFrames)
    if passed >= 1024 || passed == waitingFrames {
      waiting.removeFirst(passed * source.channels)
      position -= Double(passed)
    }
    return true
  }
}

public let kAudio_ParamError: OSStatus = -50
public let kAudioConverterErr_FormatNotSupported: OSStatus = 0x666D_743F
public let kAudioConverterErr_OperationNotSupported: OSStatus = 0x6F70_3F3F
public let kAudioConverterErr_InvalidInputSize: OSStatus = 0x696E_737A
public let kAudioConverterErr_InvalidOutputSize: OSStatus = 0x6F74_737A

public typealias AudioConverterComplexInputDataProc = (
  AudioConverterRef, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
  UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?, UnsafeMutableRawPointer?
) -> OSStatus

/// Converts between linear PCM formats only. Rates are converted by linear interpolation. If the target has more
/// channels than the source, the last channel is repeated; if it has fewer, the other channels are dropped.
/// - Returns: zero, or `kAudioConverterErr_FormatNotSupported` for compressed audio and unsupported samples. The error
///   is logged.
@discardableResult
public func AudioConverterNew(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  guard let source = unsafe PCMSamples(inSourceFormat.pointee),
    let target = unsafe PCMSamples(inDestinationFormat.pointee)
  else {
    NSLog(
      "%@",
      "AudioConverterNew: the emulator converts linear PCM of 16 or 32 bits only; encode audio in the app.")
    return kAudioConverterErr_FormatNotSupported
  }
  unsafe outAudioConverter.pointee = AudioConverter(source, target)
  return 0
}

/// Without effect: the converter is freed with its last reference.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus { 0 }

@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  inAudioConverter.reset()
  return 0
}

/// Returns `kAudioConverterErr_OperationNotSupported` if the rates differ, or if a format is not interleaved.
@discardableResult
public func AudioConverterConvertBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer,
  _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
  let (source, target) = (inAudioConverter.source, inAudioConverter.target)
  guard source.rate == target.rate, source.isInterleaved, target.isInterleaved else {
    return kAudioConverterErr_OperationNotSupported
  }
  guard Int(inInputDataSize) % source.bytesPerFrame == 0 else { return kAudioConverterErr_InvalidInputSize }
  let frames = Int(inInputDataSize) / source.bytesPerFrame
  // UNSAFE: the caller's memory of these sizes; the source is only read.
  guard unsafe Int(ioOutputDataSize.pointee) >= frames * target.bytesPerFrame else {
    return kAudioConverterErr_InvalidOutputSize
  }
  unsafe ioOutputDataSize.pointee = UInt32(frames * target.bytesPerFrame)
  var input = unsafe AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(
      mNumberChannels: UInt32(source.channels), mDataByteSize: inInputDataSize,
      mData: UnsafeMutableRawPointer(mutating: inInputData)))
  var output = unsafe AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(
      mNumberChannels: UInt32(target.channels), mDataByteSize: ioOutputDataSize.pointee, mData: outOutputData)
  )
  return unsafe withUnsafeMutablePointer(to: &input) { input in
    unsafe withUnsafeMutablePointer(to: &output) { output in
      inAudioConverter.reset()
      unsafe inAudioConverter.add(UnsafeMutableAudioBufferListPointer(input), frames: frames)
      for frame in 0..<frames {
        guard unsafe inAudioConverter.writeNext(UnsafeMutableAudioBufferListPointer(output), frame: frame)
        else { return kAudioConverterErr_InvalidInputSize }
      }
      return 0
    }
  }
}

@discardableResult
public func AudioConverterFillComplexBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataProc: AudioConverterComplexInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
  _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  let (source, target) = (inAudioConverter.source, inAudioConverter.target)
  // UNSAFE: the caller's lists, whose buffers are as large as they state.
  let output = unsafe UnsafeMutableAudioBufferListPointer(outOutputData)
  let wanted = unsafe Int(ioOutputDataPacketSize.pointee)
  guard let place = unsafe target.frames(of: output), wanted <= place else {
    return kAudioConverterErr_InvalidOutputSize
  }
  let input = unsafe AudioBufferList.allocate(maximumBuffers: source.buffers)
  defer { unsafe free(input.unsafeMutablePointer) }
  var (written, code) = (0, OSStatus(0))
  var isAtEnd = false
  while written < wanted {
    while code == 0, !isAtEnd, !inAudioConverter.hasNext {
      let missing = (Double(wanted - written) * source.rate / target.rate).rounded(.up) + 1
      var packets = UInt32(min(missing, 1_048_576))
      code = unsafe inInputDataProc(
        inAudioConverter, &packets, input.unsafeMutablePointer, nil, inInputDataProcUserData)
      guard code == 0, packets > 0 else {
        isAtEnd = code == 0
        break
      }
      guard let frames = unsafe source.frames(of: input), frames >= Int(packets) else {
        code = kAudioConverterErr_InvalidInputSize
        break
      }
      unsafe inAudioConverter.add(input, frames: Int(packets))
    }
    // At the end, the last source frame is repeated.
    guard inAudioConverter.hasNext || isAtEnd,
      unsafe inAudioConverter.writeNext(output, frame: written)
    else { break }
    written += 1
  }
  unsafe ioOutputDataPacketSize.pointee = UInt32(written)
  for index in 0..<target.buffers {
    unsafe output[index].mDataByteSize = UInt32(written * target.bytesPerFrame)
  }
  return code
}
