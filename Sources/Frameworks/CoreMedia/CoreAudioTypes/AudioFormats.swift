// Models the names of compressed formats of CoreAudioTypes/CoreAudioBaseTypes.h.

/// AAC of MPEG-4, low complexity.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// AAC of MPEG-4, high efficiency.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// Apple's lossless format.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// MPEG layer 3.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// µ-law.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
