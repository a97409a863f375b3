import AVFoundation
import TestSupport

@Suite struct AVAudioPCMBufferTests {
  @Test(arguments: [true, false]) func theChannelsAreWhereTheFormatPutsThem(interleaved: Bool) throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: interleaved))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    #expect(buffer.frameLength == 0)
    buffer.frameLength = 3
    let channels = try unsafe #require(unsafe buffer.int16ChannelData)
    #expect(unsafe buffer.floatChannelData == nil)
    for frame in 0..<3 {
      unsafe channels[0][frame * buffer.stride] = Int16(frame)
      unsafe channels[1][frame * buffer.stride] = Int16(10 + frame)
    }
    // UNSAFE: the list belongs to the buffer.
    #expect(
      unsafe UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList).map {
        unsafe $0.mDataByteSize
      } == (interleaved ? [16] : [8, 8]), "the capacity, whatever the length is")
    let used = unsafe UnsafeMutablePointer(mutating: buffer.audioBufferList)
    let samples = unsafe UnsafeMutableAudioBufferListPointer(used).map { buffer in
      unsafe Array(UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
    }
    #expect(
      samples
        == (interleaved
          ? [[0, 0, 10, 0, 1, 0, 11, 0, 2, 0, 12, 0]] : [[0, 0, 1, 0, 2, 0], [10, 0, 11, 0, 12, 0]]))
  }

  @Test func refusesFramesThatAreTooSmallForTheirSamples() {
    var stream = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagIsSignedInteger,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 3, mBitsPerChannel: 16,
      mReserved: 0)
    // UNSAFE: the parameter is a local variable.
    #expect(unsafe AVAudioFormat(streamDescription: &stream) == nil)
    stream.mChannelsPerFrame = 2
    #expect(unsafe AVAudioFormat(streamDescription: &stream)?.channelCount == 2)
    (stream.mChannelsPerFrame, stream.mBytesPerFrame) = (3, 6)
    #expect(unsafe AVAudioFormat(streamDescription: &stream) == nil, "more than two need a layout")
    #expect(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 3, interleaved: true) == nil)
  }

  @Test func theSettingsOfAFormatMakeTheFormat() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
    #expect(AVAudioFormat(settings: format.settings) == format)
    #expect(AVAudioFormat(cmAudioFormatDescription: format.formatDescription) == format)
  }

  @Test func takesTheSamplesOfASampleBuffer() throws {
    let audio = try makeAudioSample(
      [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0], sampleRate: 44_100, channelCount: 2, isBigEndian: false, at: .zero
    )
    let format = try #require(audio.formatDescription)
    let pcm = try #require(
      AVAudioPCMBuffer(pcmFormat: AVAudioFormat(cmAudioFormatDescription: format), frameCapacity: 2))
    // The buffers have their memory before the length is set.
    #expect(
      unsafe CMSampleBufferCopyPCMDataIntoAudioBufferList(
        audio, at: 1, frameCount: 2, into: pcm.mutableAudioBufferList) == noErr)
    let channels = try unsafe #require(unsafe pcm.int16ChannelData)
    let values = unsafe [channels[0][0], channels[1][0], channels[0][2], channels[1][2]]
    #expect(values == [3, 4, 5, 6])
    #expect(
      unsafe CMSampleBufferCopyPCMDataIntoAudioBufferList(
        audio, at: 2, frameCount: 2, into: pcm.mutableAudioBufferList)
        == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(
      unsafe CMSampleBufferCopyPCMDataIntoAudioBufferList(
        audio, at: 0, frameCount: 3, into: pcm.mutableAudioBufferList) == kCMSampleBufferError_ArrayTooSmall)
  }
}
