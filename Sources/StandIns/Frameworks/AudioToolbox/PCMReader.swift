import CoreMedia
import Foundation

/// Reads packets of linear PCM as interleaved 32-bit floating-point numbers, for the writer of AVFoundation. The format
/// of a running stream may change: the result keeps the rate and the channels of the first packet.
package struct PCMReader: @unchecked Sendable {
  // Unchecked `Sendable`: its only user has a lock.
  private let target: AudioStreamBasicDescription
  private var source: AudioStreamBasicDescription
  private var converter: AudioConverter

  /// Creates a reader of a stream; `nil` if the format cannot be converted.
  package init?(_ stream: AudioStreamBasicDescription) {
    var target = stream
    let bytes = 4 * stream.mChannelsPerFrame
    (target.mFormatFlags, target.mBitsPerChannel) = (kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 32)
    (target.mBytesPerFrame, target.mBytesPerPacket, target.mFramesPerPacket) = (bytes, bytes, 1)
    guard let converter = AudioConverter.make(stream, target) else { return nil }
    (self.target, source, self.converter) = (target, stream, converter)
  }

  /// Returns the samples of a packet; `nil` if the format cannot be converted.
  package mutating func read(_ sample: CMSampleBuffer, _ stream: AudioStreamBasicDescription) throws
    -> [UInt8]?
  {
    if stream != source {
      guard let new = AudioConverter.make(stream, target) else { return nil }
      (source, converter) = (stream, new)
    }
    return try unsafe sample.withAudioBufferList { list, _ in
      // UNSAFE: the list has the samples of the packet.
      unsafe converter.convert(list, frames: sample.numSamples)
    }
  }
}

extension AudioConverter {
  fileprivate static func make(
    _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription
  ) -> AudioConverter? {
    var (source, target, converter) = (source, target, AudioConverter?.none)
    // UNSAFE: the parameters are local variables.
    return unsafe AudioConverterNew(&source, &target, &converter) == 0 ? converter : nil
  }

  /// Converts the frames available so far into one interleaved buffer.
  fileprivate func convert(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) -> [UInt8] {
    // UNSAFE: the frames are within the list.
    unsafe add(list, frames: frames)
    let room = Int(Double(frames + 2) * target.rate / source.rate) + 2
    var output = [UInt8](repeating: 0, count: room * target.bytesPerFrame)
    var written = 0
    unsafe output.withUnsafeMutableBytes { bytes in
      var buffers = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: UInt32(target.channels), mDataByteSize: UInt32(bytes.count),
          mData: bytes.baseAddress))
      unsafe withUnsafeMutablePointer(to: &buffers) { buffers in
        // UNSAFE: no more frames are written than the array has room for.
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(buffers)
        while written < room, hasNext, unsafe writeNext(buffers, frame: written) { written += 1 }
      }
    }
    output.removeLast(output.count - written * target.bytesPerFrame)
    return output
  }
}
