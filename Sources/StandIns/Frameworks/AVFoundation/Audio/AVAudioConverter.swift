import AudioToolbox
import CoreMedia
import EmulatedDevice
import Foundation

// Models AVFAudio's AVAudioConverter.h for conversions between linear PCM formats.

public typealias AVAudioPacketCount = UInt32

public enum AVAudioConverterInputStatus: Int, Sendable {
  case haveData, noDataNow, endOfStream
}

public enum AVAudioConverterOutputStatus: Int, Sendable {
  case haveData, inputRanDry, endOfStream, error
}

public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// Not thread-safe: use it on one thread at a time.
public final class AVAudioConverter: NSObject {
  public let inputFormat: AVAudioFormat
  public let outputFormat: AVAudioFormat
  private let converter: AudioConverterRef
  /// Without effect.
  public var sampleRateConverterQuality = AVAudioQuality.medium.rawValue
  /// Without effect.
  public var sampleRateConverterAlgorithm: String?
  /// Without effect: linear PCM has no bit rate to choose.
  public var bitRate = 0
  public var maximumOutputPacketSize: Int { Int(outputFormat.stream.mBytesPerPacket) }

  /// Returns `nil` if the formats cannot be converted here, and logs the reason.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    var (source, target) = (fromFormat.stream, toFormat.stream)
    var converter: AudioConverterRef?
    // UNSAFE: the parameters are local variables.
    guard unsafe AudioConverterNew(&source, &target, &converter) == 0, let converter else { return nil }
    (inputFormat, outputFormat, self.converter) = (fromFormat, toFormat, converter)
  }

  public func reset() { AudioConverterReset(converter) }

  public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    guard inputFormat.sampleRate == outputFormat.sampleRate else {
      throw NSError(code: kAudioConverterErr_OperationNotSupported)
    }
    guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
      throw NSError(code: kAudioConverterErr_InvalidOutputSize)
    }
    reset()
    var rest: AVAudioPCMBuffer? = inputBuffer
    var error: NSError?
    // UNSAFE: the parameter is a local variable.
    let status = unsafe convert(to: outputBuffer, error: &error) { _, status in
      unsafe status.pointee = rest == nil ? .endOfStream : .haveData
      return rest.take()
    }
    if status == .error { throw error ?? NSError(code: -50) }
  }

  public func convert(
    to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    guard let output = outputBuffer as? AVAudioPCMBuffer else { return .error }
    // UNSAFE: the block is called with pointers of this call.
    return unsafe withoutActuallyEscaping(inputBlock) { block in
      var input = unsafe ConverterInput(block)
      output.frameLength = output.frameCapacity
      var packets = output.frameCapacity
      // UNSAFE: the input is valid for the call, which alone calls the function with it; the list belongs to the buffer.
      let code = unsafe withUnsafeMutablePointer(to: &input) { input in
        unsafe AudioConverterFillComplexBuffer(
          converter, supply, input, &packets, output.mutableAudioBufferList, nil)
      }
      output.frameLength = packets
      if packets == output.frameCapacity { return .haveData }
      switch code {
      case 0: return packets > 0 ? .haveData : .endOfStream
      case inputIsDry: return .inputRanDry
      default:
        unsafe outError?.pointee = NSError(code: code)
        return .error
      }
    }
  }
}

/// The input block of a conversion, and its current buffer.
@safe
private struct ConverterInput {
  let block: AVAudioConverterInputBlock
  /// The buffer that is being converted.
  var buffer: AVAudioBuffer?

  init(_ block: @escaping AVAudioConverterInputBlock) { unsafe self.block = unsafe block }
}

/// The code that pauses a conversion, because the block has no data now.
private let inputIsDry: OSStatus = 1

private func supply(
  _ converter: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
  _ list: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
  _ data: UnsafeMutableRawPointer?
) -> OSStatus {
  // UNSAFE: the input of the call of `convert`; the list is the converter's, with the buffers of the format.
  guard let input = unsafe data?.assumingMemoryBound(to: ConverterInput.self) else { return inputIsDry }
  var status = AVAudioConverterInputStatus.noDataNow
  let buffer = unsafe input.pointee.block(packets.pointee, &status) as? AVAudioPCMBuffer
  guard status == .haveData, let buffer, buffer.frameLength > 0 else {
    unsafe packets.pointee = 0
    return status == .endOfStream ? 0 : inputIsDry
  }
  unsafe input.pointee.buffer = buffer
  unsafe packets.pointee = buffer.frameLength
  let target = unsafe UnsafeMutableAudioBufferListPointer(list)
  let source = unsafe UnsafeMutableAudioBufferListPointer(
    UnsafeMutablePointer(mutating: buffer.audioBufferList))
  for index in 0..<(unsafe min(target.count, source.count)) {
    unsafe target[index] = unsafe source[index]
    // A writable list may have the sizes of the capacity.
    unsafe target[index].mDataByteSize = buffer.frameLength * buffer.format.stream.mBytesPerFrame
  }
  return 0
}
