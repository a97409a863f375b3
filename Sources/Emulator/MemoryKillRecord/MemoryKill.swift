import CommandLineSupport
import Foundation

/// What a producer that is about to be killed for its memory leaves behind for whoever asks why: the file
/// `jetsam.json`.
///
/// On a device there is no such file, and an app learns nothing; so it is no part of what an app and its extension
/// ship, but one more text in JSON that the one program writes and the other reads. Amounts are bytes.
public struct MemoryKill: Codable, Equatable, Sendable {
  /// The process.
  public var pid: Int32
  /// The random id of its session, in hexadecimal; `nil` when it had none yet.
  public var session: String?
  /// When it was, in monotonic nanoseconds.
  public var atNs: UInt64
  /// What it was allowed.
  public var limitBytes: UInt64
  /// What it had: private memory that was written.
  public var footprintBytes: UInt64
  /// The most that was seen of it.
  public var peakFootprintBytes: UInt64
  /// What was in pixel buffers.
  public var pixelBufferBytes: UInt64
  /// What the allocator had beside those: small blocks and large ones.
  public var heapBytes: UInt64
  /// What the stacks of its threads had.
  public var stackBytes: UInt64
  /// What was left: changed data of the program and its libraries, above all.
  public var otherBytes: UInt64
  /// What belongs to the emulated system in the same process; not counted.
  public var systemBytes: UInt64
  /// The shared files that were mapped, by name; not counted.
  public var sharedFileBytes: [String: UInt64]
  /// Other mapped files, such as the program itself; not counted.
  public var mappedFileBytes: UInt64

  /// The file's name, in the folder of the broadcast.
  public static let fileName = "jetsam.json"
  /// The most bytes a file may have.
  public static let sizeLimit = 1 << 16
  /// The most shared files it may name.
  public static let sharedFileLimit = 16

  /// A record of these amounts.
  public init(
    pid: Int32, session: String?, atNs: UInt64, limitBytes: UInt64, footprintBytes: UInt64,
    peakFootprintBytes: UInt64, pixelBufferBytes: UInt64 = 0, heapBytes: UInt64 = 0, stackBytes: UInt64 = 0,
    otherBytes: UInt64 = 0, systemBytes: UInt64 = 0, sharedFileBytes: [String: UInt64] = [:],
    mappedFileBytes: UInt64 = 0
  ) {
    self.pid = pid
    self.session = session
    self.atNs = atNs
    self.limitBytes = limitBytes
    self.footprintBytes = footprintBytes
    self.peakFootprintBytes = peakFootprintBytes
    self.pixelBufferBytes = pixelBufferBytes
    self.heapBytes = heapBytes
    self.stackBytes = stackBytes
    self.otherBytes = otherBytes
    self.systemBytes = systemBytes
    self.sharedFileBytes = sharedFileBytes
    self.mappedFileBytes = mappedFileBytes
  }

  /// What the bytes of such a file say; `nil` when they are none that a producer writes.
  public init?(json bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else { return nil }
    do { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch { return nil }
    guard isSound else { return nil }
  }

  /// The bytes of the file.
  public var json: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// Whether the numbers can be true, and the texts be shown to a person.
  private var isSound: Bool {
    let counted = [pixelBufferBytes, heapBytes, stackBytes, otherBytes]
    return pid > 0 && limitBytes > 0 && footprintBytes > limitBytes && peakFootprintBytes >= footprintBytes
      && counted.allSatisfy { $0 <= footprintBytes }
      && session.map { UInt64($0, radix: 16) != nil } ?? true
      && sharedFileBytes.count <= Self.sharedFileLimit
      && sharedFileBytes.keys.allSatisfy { name in
        (1...255).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      }
  }
}

extension MemoryKill: CustomStringConvertible {
  /// What happened, to follow the name of the process in a sentence.
  public var description: String {
    let parts = [
      ("pixel buffers", pixelBufferBytes), ("heap", heapBytes), ("stacks", stackBytes), ("other", otherBytes),
    ].map { "\($0) \(Double($1).megabytesText)" }
    return "was killed for its memory: \(Double(footprintBytes).megabytesText) of "
      + "\(Double(limitBytes).megabytesText); \(parts.joined(separator: ", "))"
  }
}
