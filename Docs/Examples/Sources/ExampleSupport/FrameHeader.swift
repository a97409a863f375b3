/// The header of each frame on the socket: four 32-bit numbers, the most significant byte first.
public struct FrameHeader: Equatable {
  /// The bytes that follow the header.
  public var length: UInt32
  /// The width of the frame, in pixels.
  public var width: UInt32
  /// The height of the frame, in pixels.
  public var height: UInt32
  /// The orientation of the frame, 1 to 8, as in `CGImagePropertyOrientation`.
  public var orientation: UInt32

  /// The bytes of a header.
  public static let byteCount = 16

  /// The header of a frame of two planes without padding.
  public init(width: Int, height: Int, orientation: UInt32) {
    (self.width, self.height, self.orientation) = (UInt32(width), UInt32(height), orientation)
    length = UInt32(Self.payload(width: width, height: height))
  }

  /// The header in `bytes`; `nil` when they are none, or not that of a frame this app can take.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    let numbers = (0..<4).map { index in
      bytes[index * 4..<index * 4 + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    (length, width, height, orientation) = (numbers[0], numbers[1], numbers[2], numbers[3])
    guard 1...8192 ~= width, 1...8192 ~= height, 1...8 ~= orientation,
      Int(length) == Self.payload(width: Int(width), height: Int(height))
    else { return nil }
  }

  /// The header as bytes.
  public var bytes: [UInt8] {
    [length, width, height, orientation].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
  }

  private static func payload(width: Int, height: Int) -> Int {
    width * height + (width + 1) / 2 * 2 * ((height + 1) / 2)
  }
}
