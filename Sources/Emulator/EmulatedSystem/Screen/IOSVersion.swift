/// A major version of iOS, where broadcasts differ by it: frame rate, colour tags, audio formats, and texts of dialogs.
/// Docs/Devices.md has what is known of each.
package struct IOSVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  package let major: Int

  /// `nil` for a version without broadcast extensions of this kind: before 11, from 19 to 25, which do not exist, and
  /// after the newest one that was observed.
  package init?(_ major: Int) {
    guard (11...18).contains(major) || major == 26 else { return nil }
    self.major = major
  }

  private init(known major: Int) { self.major = major }

  /// The newest version of which there are observations: the default.
  package static let newest = Self(known: 26)

  /// The most frames per second that an extension gets. The first version with 60 is not known; 13 had 30.
  package var framesPerSecond: Double { major <= 13 ? 30 : 60 }

  package static func < (one: Self, other: Self) -> Bool { one.major < other.major }

  package var description: String { "\(major)" }
}
