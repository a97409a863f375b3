/// What can be told of a file, under the name it has in the JSON event `inspected`.
package enum InspectedKey: String, CaseIterable, CodingKey, Sendable {
  /// The bytes of the file.
  case byteCount
  /// The version of a ring.
  case version
  /// The slots of a ring.
  case slots
  /// The bytes from one slot of a ring to the next.
  case slotStride
  /// The random number of a session, in hexadecimal.
  case session
  /// The process that wrote a ring.
  case pid
  /// What a ring says of its session.
  case state
  /// The number of the newest frame.
  case frameNumber
  /// When the picture was taken, in nanoseconds.
  case captureTimeNs
  /// When the frame was published, in nanoseconds.
  case publishTimeNs
  /// How the picture must be turned.
  case orientation
  /// The four-character code of the pixel format.
  case pixelFormat
  /// In pixels.
  case width
  /// In pixels.
  case height
  /// Padding included.
  case lumaBytesPerRow
  /// Padding included.
  case chromaBytesPerRow
  /// The messages of a stream.
  case messages
  /// The bytes of sound.
  case audioBytes
  /// Samples a second.
  case sampleRate
  /// The channels of sound.
  case channels
  /// The bits of a sample.
  case bitsPerChannel
  /// Which byte of a sample comes first.
  case byteOrder
  /// The frames an audio ring has room for.
  case capacity
  /// The frames of sound that were published in the session.
  case framesWritten
  /// The frames of sound for which a place was reserved in the session.
  case framesReserved
  /// The packets of sound that were published in the session.
  case packets
  /// The packets of sound that could not be published in the session.
  case packetsDropped
  /// The number in a companion file.
  case id
  /// The time in a companion file.
  case timestamp
}

/// The value of one field.
package enum InspectedValue: Equatable, Sendable {
  /// A whole number.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A text.
  case text(String)
}
