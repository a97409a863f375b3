import CommandLineSupport
import Platform
import ScreenBroadcast

extension DeviceEvent {
  /// The answer to an event that has happened; others are the sentence that refuses it.
  package static let success = "done"

  /// Makes the event happen to the broadcast in `container`, whichever process runs it.
  package func send(to container: AppGroupContainer) throws(ProgramFailure) {
    let answer: LineService.Answer
    do {
      answer = try LineService.ask(
        text, folder: container.broadcastFolder, name: AppGroupContainer.controlSocketName)
    } catch {
      throw ProgramFailure(errno: error.code, "The broadcast cannot be reached: \(error).")
    }
    switch answer {
    case .line(Self.success): return
    case .line(let refusal): throw ProgramFailure(.notInOrder, "\(text): \(refusal)")
    // A process that crashes by the event does not answer.
    case .closed where kills: return
    case .closed:
      throw ProgramFailure(
        .nothingCame,
        "\(text): the broadcast in \(container.folder) did not answer: it ended, or has too many requests; try again."
      )
    case .noService:
      throw ProgramFailure(
        .nothingCame,
        "No broadcast runs in \(container.folder); start one in the same container and app group.")
    }
  }
}
