/// The phone has launched an extension for a broadcast, and calls `broadcastStarted` next. No program prints it.
package struct LaunchFact: FactBody {
  package static let event = "launch"
  /// The intended frames per second.
  package var fps: Double
  /// Pixels of a frame.
  package var width: Int?
  package var height: Int?
  /// The emulated device.
  package var device: String?
  /// The device with its iOS and its limit of memory.
  package var phone: String?
  /// The text of the dialog that a phone shows when the extension crashes.
  package var crashDialog: String?
  /// The program of the extension.
  package var `extension`: String?
  /// The command line of the program.
  package var arguments: [String]?

  package init(fps: Double) { self.fps = fps }
}
