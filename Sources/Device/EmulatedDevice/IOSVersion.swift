/// A version of iOS. Captures differ by major version, in frame rate, colour tags, audio formats, and texts of dialogs.
/// `Docs/Devices.md` lists what is known about each version.
package struct IOSVersion: Codable, Comparable, Hashable, Sendable, CustomStringConvertible {
  package let major: Int
  /// The version as in `UIDevice.systemVersion` (`26.0`, `17.4.1`).
  package let text: String

  /// Parses a version. `nil` before 11, after 27, and for 19 to 25 (they do not exist).
  package init?(_ text: String) {
    guard let numbers = Self.numbers(in: text),
      (11...18).contains(numbers[0]) || (26...27).contains(numbers[0])
    else {
      return nil
    }
    self.init(known: numbers)
  }

  private init(known numbers: [Int]) {
    major = numbers[0]
    text = (numbers.count == 1 ? numbers + [0] : numbers).map(String.init).joined(separator: ".")
  }

  /// Returns the one to three numbers of a version such as `17.4.1` or `iOS 17`; `nil` if the string is not a version.
  package static func numbers(in text: String) -> [Int]? {
    let version = text.lowercased().trimmingPrefix("ios").trimmingPrefix(" ")
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard numbers.count <= 3 else { return nil }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0.map(Int.init) }
  }

  /// The newest version with broadcast extensions that has been observed. It is the default.
  package static let newest = Self(known: [26])
  /// The first version in which an app can capture with ScreenCaptureKit.
  package static let streaming = Self(known: [27])

  /// The maximum frame rate of an extension, per second. iOS 13 had 30; the first version with 60 is unknown.
  package var framesPerSecond: Double { major <= 13 ? 30 : 60 }

  /// Updates of the same major version are equal in order, because no difference between them is known.
  package static func < (one: Self, other: Self) -> Bool { one.major < other.major }

  package var description: String { text.hasSuffix(".0") ? "\(major)" : text }
}
