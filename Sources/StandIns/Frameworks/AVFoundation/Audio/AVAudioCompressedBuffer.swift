import CoreMedia

// Models AVFAudio's AVAudioBuffer.h for packets.

/// No buffer can be created, because every `AVAudioFormat` is linear PCM here.
@safe
public final class AVAudioCompressedBuffer: AVAudioBuffer {
  public let data: UnsafeMutableRawPointer
  public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  public var packetCount: AVAudioPacketCount
  public var byteLength: UInt32

  /// Traps for linear PCM, as iOS does.
  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
    preconditionFailure("AVAudioCompressedBuffer: the format is linear PCM")
  }
}
