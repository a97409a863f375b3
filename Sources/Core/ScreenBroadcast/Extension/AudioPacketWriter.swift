import CoreMedia
import PixelAccess
import Platform
import SharedMemory

/// Publishes the packets of an audio stream to the app. A packet that cannot be published is counted, and the broadcast continues
/// without it.
///
/// The file is created with the first packet. It is mapped, so it does not count towards the memory of the extension.
final class AudioPacketWriter {
  private let path: String
  private let session: RingSession
  private var ring: AudioRingWriter?
  /// The number of dropped packets.
  private var packetsDropped: UInt64 = 0
  private var failure = OncePerReason<String>()

  var isPaused = false {
    didSet { ring?.isPaused = isPaused }
  }

  init(path: String, session: RingSession) {
    self.path = path
    self.session = session
  }

  /// - Returns: why the packet was dropped, if that is to be reported (once for each reason).
  func publish(_ sample: CMSampleBuffer) -> String? {
    guard let problem = write(sample) else { return nil }
    packetsDropped += 1
    ring?.countDrop()
    return failure.changes(to: problem) ? "Audio is skipped: \(problem)" : nil
  }

  /// Ends the session for readers, and removes the file.
  func finish() throws(FileError) { try ring.take()?.finish() }

  /// - Returns: why the packet was dropped, with a fix if there is one; `nil` if it was published.
  private func write(_ sample: CMSampleBuffer) -> String? {
    let format: AudioRingFormat
    do {
      format = try Self.format(of: CMSampleBufferGetFormatDescription(sample)?.audioStreamBasicDescription)
    } catch {
      // The app learns from the counts of a ring that there is audio, so the ring is needed even without packets.
      if ring == nil, let format = AudioRingFormat(sampleRate: 44_100, channelCount: 1, isBigEndian: false) {
        do throws(FileError) { _ = try makeRing(format) } catch {}
      }
      return "\(error.what) is not supported; use "
        + "interleaved 16-bit linear PCM of 1 or 2 channels and 1000 to 384000 frames per second"
    }
    let byteCount = CMSampleBufferGetNumSamples(sample) * format.bytesPerFrame
    guard byteCount > 0, let bytes = CMSampleBufferGetDataBuffer(sample)?.prefix(byteCount) else {
      return "a packet of audio has no samples"
    }
    do throws(FileError) {
      let ring = if let ring { ring } else { try makeRing(format) }
      try ring.publish(bytes.span, format: format, captureTime: sample.captureTime)
    } catch {
      return error.description
    }
    return nil
  }

  private func makeRing(_ format: AudioRingFormat) throws(FileError) -> AudioRingWriter {
    let made = try AudioRingWriter(path: path, format: format, session: session)
    made.isPaused = isPaused
    made.countDrop(packetsDropped)
    ring = made
    return made
  }
}

extension AudioPacketWriter {
  /// A property that a ring does not support, as the subject of a sentence.
  private struct Unsupported: Error { let what: String }

  /// Returns the ring's format for a stream. Throws if a ring does not support the stream.
  private static func format(of stream: AudioStreamBasicDescription?) throws(Unsupported) -> AudioRingFormat {
    let flags = stream?.mFormatFlags ?? 0
    guard let stream, stream.mFormatID == kAudioFormatLinearPCM,
      stream.mBitsPerChannel == AudioRingFormat.bitsPerSample,
      flags & kAudioFormatFlagIsSignedInteger != 0, flags & kAudioFormatFlagIsFloat == 0
    else {
      let encoding = stream?.mFormatID.fourCharacters ?? "none"
      throw Unsupported(what: "the encoding \(encoding) with \(stream?.mBitsPerChannel ?? 0) bits")
    }
    let channelCount = Int(stream.mChannelsPerFrame)
    guard AudioRingFormat.channelCounts.contains(channelCount) else {
      throw Unsupported(what: "audio of \(channelCount) channels")
    }
    guard flags & kAudioFormatFlagIsNonInterleaved == 0 || channelCount == 1 else {
      throw Unsupported(what: "audio whose channels are not interleaved")
    }
    guard
      let format = AudioRingFormat(
        sampleRate: stream.mSampleRate, channelCount: channelCount,
        isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
    else { throw Unsupported(what: "audio of \(stream.mSampleRate) frames per second") }
    guard stream.mBytesPerFrame == format.bytesPerFrame else {
      throw Unsupported(what: "audio of \(stream.mBytesPerFrame) bytes per frame")
    }
    return format
  }
}

extension CMBlockBuffer {
  /// Returns a copy of the first `count` bytes; `nil` if there are fewer.
  fileprivate func prefix(_ count: Int) -> [UInt8]? {
    var code = kCMBlockBufferNoErr
    // UNSAFE: the call writes either `count` bytes or none, and the array has room for them.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
      guard let start = memory.baseAddress else { return }
      code = unsafe CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: count, destination: start)
      if code == kCMBlockBufferNoErr { initialized = count }
    }
    return code == kCMBlockBufferNoErr ? bytes : nil
  }
}
