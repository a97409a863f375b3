import CoreMedia
import PixelAccess
import Platform
import SharedMemory

/// Puts the packets of one stream of sound where the app finds them.
///
/// The file is made with the first packet. It is mapped, so that it does not count as memory of the extension.
struct AudioPacketWriter {
  private let path: String
  private let session: RingSession
  private var ring: AudioRingWriter?
  /// Packets that came and did not travel.
  private(set) var packetsDropped: UInt64 = 0

  /// Whether no packets come for a while, as readers see it.
  var isPaused = false {
    didSet { ring?.isPaused = isPaused }
  }

  /// A writer into the file at `path`, which a leftover may be at: it is removed by ``removeLeftover()``.
  init(path: String, session: RingSession) {
    self.path = path
    self.session = session
  }

  /// Removes what an extension that died left at the path. The caller has the broadcast.
  func removeLeftover() throws(StorageError) { try PlainFile.remove(path) }

  /// Publishes a packet, or counts it as dropped and throws why.
  mutating func write(_ sample: CMSampleBuffer) throws(Failure) {
    do throws(Failure) { try publish(sample) } catch {
      packetsDropped += 1
      ring?.countDrop()
      throw error
    }
  }

  /// Marks the session as over, and removes the file.
  mutating func finish() throws(StorageError) { try ring.take()?.finish() }

  private mutating func publish(_ sample: CMSampleBuffer) throws(Failure) {
    let description = CMSampleBufferGetFormatDescription(sample)?.audioStreamBasicDescription
    guard let description, let format = AudioRingFormat(description) else {
      throw .format(description?.mFormatID, bits: description?.mBitsPerChannel)
    }
    let byteCount = CMSampleBufferGetNumSamples(sample) * format.bytesPerFrame
    guard byteCount > 0, let bytes = CMSampleBufferGetDataBuffer(sample)?.prefix(byteCount) else {
      throw .noSamples
    }
    do throws(RingError) {
      let ring = if let ring { ring } else { try makeRing(format) }
      try ring.publish(bytes.span, format: format, captureTime: sample.captureTime)
    } catch {
      throw .ring(error)
    }
  }

  private mutating func makeRing(_ format: AudioRingFormat) throws(RingError) -> AudioRingWriter {
    let made = try AudioRingWriter(path: path, format: format, session: session)
    made.isPaused = isPaused
    made.countDrop(packetsDropped)
    ring = made
    return made
  }
}

extension AudioPacketWriter {
  /// Why a packet does not travel.
  enum Failure: Error, Equatable, CustomStringConvertible {
    /// The samples are no linear PCM of 16-bit numbers whose channels take turns.
    case format(AudioFormatID?, bits: UInt32?)
    /// The packet has no bytes.
    case noSamples
    /// The file cannot be made.
    case ring(RingError)

    /// One sentence: what is wrong, and the way out where there is one.
    var description: String {
      switch self {
      case .format(let format, let bits):
        "sound of the encoding \(format.map(\.fourCharacters) ?? "none") with \(bits ?? 0) bits does not travel; only "
          + "interleaved 16-bit linear PCM of 1 or 2 channels and 1000 to 384000 frames a second does"
      case .noSamples: "a packet of sound has no samples"
      case .ring(let error): error.description
      }
    }
  }
}

extension AudioRingFormat {
  /// The format of a ring for such a stream; `nil` when there is none.
  fileprivate init?(_ stream: AudioStreamBasicDescription) {
    let flags = stream.mFormatFlags
    guard stream.mFormatID == kAudioFormatLinearPCM, stream.mBitsPerChannel == Self.bitsPerSample,
      flags & kAudioFormatFlagIsSignedInteger != 0, flags & kAudioFormatFlagIsFloat == 0,
      flags & kAudioFormatFlagIsNonInterleaved == 0 || stream.mChannelsPerFrame == 1
    else { return nil }
    self.init(
      sampleRate: stream.mSampleRate, channelCount: Int(stream.mChannelsPerFrame),
      isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
    guard stream.mBytesPerFrame == bytesPerFrame else { return nil }
  }
}
