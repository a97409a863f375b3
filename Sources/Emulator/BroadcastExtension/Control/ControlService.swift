import CommandLineSupport
import Dispatch
import EmulatedSystem
import Platform
import ScreenBroadcast
import SharedMemory

/// Lets happen to a running broadcast what the verb `control` of another process asks for.
@MainActor
final class ControlService {
  private static let name = "control"
  private static let success = "done"

  private var service: LineService?
  private var source: (any DispatchSourceRead)?
  private let report: @Sendable (String) -> Void

  /// A service for the broadcast of `system`. Where there can be none, which `report` is told of, the broadcast runs
  /// without it; where another process has the container, that process will refuse the broadcast itself.
  init(container: AppGroupContainer, system: BroadcastSystem, report: @escaping @Sendable (String) -> Void) {
    self.report = report
    // A container that cannot be made is told of by whoever needs it for more.
    do { try container.prepare() } catch { return }
    let service: LineService
    do throws(StorageError) {
      service = try LineService(folder: container.broadcastFolder, name: Self.name)
    } catch {
      if case .busy = error {} else { report("The verb 'control' will not reach this broadcast: \(error)") }
      return
    }
    self.service = service
    // Who asks and brings nothing holds up this queue, and not the broadcast.
    let source = DispatchSource.makeReadSource(
      fileDescriptor: service.fileDescriptor, queue: DispatchQueue(label: "broadcast.control"))
    source.setEventHandler(handler: Self.handler(service, system, source, report))
    source.activate()
    self.source = source
  }

  /// Answers nobody any more.
  func stop() {
    source?.cancel()
    do { try service?.withdraw() } catch { report("\(error)") }
  }

  /// Lets an event happen to the broadcast that runs in `container`, by whichever process.
  static func send(_ event: DeviceEvent, to container: AppGroupContainer) throws(ProgramFailure) {
    let answer: String?
    do { answer = try LineService.ask(event.text, folder: container.broadcastFolder, name: name) } catch {
      throw ProgramFailure(errno: error.code, "The broadcast cannot be reached: \(error).")
    }
    switch answer {
    case success: return
    // A process that dies of the event answers nothing.
    case nil where event == .crash: return
    case nil:
      throw ProgramFailure(
        .nothingCame,
        "No broadcast runs in \(container.folder); start one in the same container and app group.")
    case let refusal?: throw ProgramFailure(.notInOrder, "\(event.text): \(refusal)")
    }
  }

  /// What runs when somebody asks; not on the main actor, where only the event happens.
  private nonisolated static func handler(
    _ service: LineService, _ system: BroadcastSystem, _ source: any DispatchSourceRead,
    _ report: @escaping @Sendable (String) -> Void
  ) -> () -> Void {
    { [weak system] in
      do {
        try service.answer { line in
          DispatchQueue.main.sync { MainActor.assumeIsolated { answer(line, system) } }
        }
      } catch {
        // What waits would have this called again at once.
        source.cancel()
        report("The verb 'control' does not reach this broadcast any more: \(error)")
      }
    }
  }

  private static func answer(_ line: String, _ system: BroadcastSystem?) -> String {
    let event: DeviceEvent
    do { event = try DeviceEvent(text: line) } catch { return error.message }
    guard let system else { return "The broadcast is over." }
    return system.perform(event) ?? success
  }
}
