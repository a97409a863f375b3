import CommandLineSupport
import Dispatch
import EmulatedSystem
import PhoneLink
import Platform
import ScreenBroadcast

/// Performs the events that other processes request with `control`.
@MainActor
final class ControlService {
  private let service: LineService
  private let source: any DispatchSourceRead
  private let report: @Sendable (String) -> Void

  /// Creates the service for the broadcast of `system` in an existing container. `report` receives later errors.
  ///
  /// Throws `busy` if another process already serves the container.
  init(
    container: AppGroupContainer, system: BroadcastSystem,
    report: @escaping @Sendable (String) -> Void
  ) throws(FileError) {
    self.report = report
    service = try LineService(
      folder: container.broadcastFolder, name: AppGroupContainer.controlSocketName)
    source = DispatchSource.makeReadSource(
      fileDescriptor: service.fileDescriptor, queue: DispatchQueue(label: "broadcast.control"))
    source.setEventHandler(handler: Self.handler(service, system, source, report))
    source.activate()
  }

  func stop() {
    source.cancel()
    do throws(FileError) { try service.close() } catch { report("\(error).") }
  }

  /// Returns the event handler of the source. It runs on the source's queue, and performs only the event on the main actor.
  private nonisolated static func handler(
    _ service: LineService, _ system: BroadcastSystem, _ source: any DispatchSourceRead,
    _ report: @escaping @Sendable (String) -> Void
  ) -> () -> Void {
    { [weak system] in
      do throws(FileError) {
        // Send the answer before the main actor continues, because the event may end this process.
        try service.answer { line, send in
          DispatchQueue.main.sync { MainActor.assumeIsolated { send(answer(line, system)) } }
        }
      } catch {
        // The descriptor stays readable and would call this handler again at once.
        source.cancel()
        report("The subcommand 'control' no longer reaches this broadcast: \(error).")
      }
    }
  }

  private static func answer(_ line: String, _ system: BroadcastSystem?) -> String {
    do throws(UsageError) {
      let event = try DeviceEvent(sent: line)
      guard let system else { return "The broadcast is over." }
      return system.perform(event) ?? DeviceEvent.success
    } catch {
      return error.message
    }
  }
}
