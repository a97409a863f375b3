import TestSupport

/// The programs of this package, which the build of the tests also builds.
enum BuiltPrograms {
  static let producer = program("producer")
  static let consumer = program("consumer")
  static let capturer = program("capturer")
  static let broadcast = program("broadcast")
  static let probeExtension = program("ProbeExtension")
  static let probeApp = program("ProbeApp")
  static let rightHandlers = program("RightHandlers")
  static let benchmark = program("benchmark")

  /// Returns a program of the build that these tests belong to, or of the build in the folder that `PROGRAMS` names.
  private static func program(_ name: String) -> URL {
    guard let folder = ProcessInfo.processInfo.environment["PROGRAMS"] else {
      return ChildProcess.program(name)
    }
    return URL(filePath: folder, relativeTo: Document.package).appending(path: name).absoluteURL
  }
}
