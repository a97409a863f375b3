import Causes
import CommandLineSupport
import EmulatedSystem

enum ControlRequest {
  /// Sends `event` to the broadcast of another process in the container of `options`.
  static func run(_ event: DeviceEvent, _ options: CommonOptions) throws(ProgramFailure) {
    try event.send(to: options.appGroupContainer())
    options.console().say("\(event.text): done.")
    try options.jsonLines?.write(RequestEvent(what: event.text))
  }
}
