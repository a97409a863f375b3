import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Foundation
import ScreenBroadcast

extension StartOptions {
  /// The launch of the producer, or of the extension that the person picks.
  @MainActor
  func launch(
    _ container: AppGroupContainer, _ common: CommonOptions, _ view: any WatchView
  ) throws(ProgramFailure) -> ProducerLaunch {
    var program = producer.map { URL(fileURLWithPath: $0) } ?? ProducerLaunch.neighbour
    var arguments: [String] = []
    if let (chosen, isMicrophoneOn) = try pick() {
      program = URL(fileURLWithPath: chosen.executable)
      arguments = ["--info-plist=\(chosen.infoPlist)"]
      let hasMicrophoneOption = producerArguments.contains { $0 == "--mic" || $0.hasPrefix("--mic=") }
      if isMicrophoneOn, !hasMicrophoneOption { arguments.append("--mic=tone") }
      view.show(.notice("The extension \(chosen.identifier.quoted) was chosen."))
    }
    return ProducerLaunch(
      program: program,
      arguments: arguments + common.sharedArguments + producerArguments,
      container: container)
  }

  /// The extension that the person picks; `nil` if no extensions are installed.
  @MainActor
  func pick() throws(ProgramFailure) -> (chosen: AppExtension, isMicrophoneOn: Bool)? {
    guard producer == nil else { return nil }
    let variable = ProcessInfo.processInfo.environment["BROADCAST_EXTENSIONS"] ?? ""
    guard let folder = extensions ?? (variable.isEmpty ? nil : variable) else {
      let need =
        `extension`.map { "--extension \($0.quoted) needs installed extensions; name their folder" }
        ?? (microphone ? "--microphone needs the picker; name the folder of the installed extensions" : nil)
      if let need { throw ProgramFailure(.usage, "\(need) with --extensions.") }
      return nil
    }
    var picked: (choice: EmulatedPicker.Choice, isMicrophoneOn: Bool)?
    let picker = EmulatedPicker(folder: folder, wantsMicrophone: microphone) {
      picked = ($0, $1)
    }
    picker.install()
    let isTapped = withExtendedLifetime(picker) {
      BroadcastPickerButton.tap(preferredExtension: `extension`, showsMicrophoneButton: microphone)
    }
    guard isTapped, let picked else {
      throw ProgramFailure(.internalError, "The picker of the system has no button.")
    }
    return (try picked.choice.get(), picked.isMicrophoneOn)
  }
}
