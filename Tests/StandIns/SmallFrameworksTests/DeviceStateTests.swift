import AVFoundation
import EmulatedDevice
import Network
import TestSupport
import UIKit

/// What the frameworks say of changes of the device.
@Suite struct DeviceStateTests {
  private let device = Device()

  /// Records the notifications of a name whose object belongs to the device of this test.
  private func listen(
    to name: NSNotification.Name, _ note: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: note)
  }

  @Test func aCallInterruptsAnActiveSession() async throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    let heard = Recorder<String>()
    let observer = NotificationCenter.default.addObserver(
      forName: AVAudioSession.interruptionNotification, object: session, queue: nil
    ) { note in
      let type = (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt)
        .flatMap(AVAudioSession.InterruptionType.init)
      let options = (note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt)
        .map(AVAudioSession.InterruptionOptions.init)
      heard.add("\(type.map { "\($0)" } ?? "?") \(options?.contains(.shouldResume) == true)")
    }
    func call(_ body: (inout DeviceState) throws(EventRefusal) -> Void) throws { try device.change(body) }
    // An inactive one hears nothing.
    try call { state throws(EventRefusal) in try state.begin(.endsAudio) }
    let error = #expect(throws: NSError.self) { try session.setActive(true) }
    #expect(error?.domain == NSOSStatusErrorDomain && error?.code == 561_017_449)
    #expect(error?.code == AVAudioSession.ErrorCode.insufficientPriority.rawValue)
    try call { state throws(EventRefusal) in try state.endCall() }
    try session.setActive(true)
    try call { state throws(EventRefusal) in try state.begin(.silencesAudio) }
    #expect(await eventually { heard.values == ["began false"] })
    try call { state throws(EventRefusal) in try state.endCall() }
    #expect(await eventually { heard.values == ["began false", "ended true"] })
    // It is not active until the app makes it so.
    try call { state throws(EventRefusal) in try state.begin(.endsAudio) }
    try call { state throws(EventRefusal) in try state.endCall() }
    await MainActor.run {}
    #expect(heard.values.count == 2)
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func anAppAsksForTheMicrophone() async {
    #expect(device.run { AVAudioSession.sharedInstance().recordPermission } == .granted)
    let app = Device(role: .app, denied: [.microphone])
    await app.run {
      let session = AVAudioSession.sharedInstance()
      #expect(session.recordPermission == .undetermined)
      let isGranted = await withCheckedContinuation { answer in
        session.requestRecordPermission { answer.resume(returning: $0) }
      }
      #expect(!isGranted && session.recordPermission == .denied)
    }
  }

  @Test func aRouteChangesPortsAndRate() async throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    let heard = Recorder<String>()
    let observer = NotificationCenter.default.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
    ) { note in
      let reason = (note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt)
        .flatMap(AVAudioSession.RouteChangeReason.init)
      let previous =
        note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
      let ports = previous?.inputs.map(\.portType.rawValue) ?? []
      heard.add("\(reason.map { "\($0)" } ?? "?") after \(ports)")
    }
    try session.setCategory(.playAndRecord, mode: .videoChat, options: .allowBluetooth)
    try session.setPreferredSampleRate(16_000)
    #expect(session.sampleRate == 48_000 && session.preferredSampleRate == 16_000)
    try session.setActive(true)
    #expect(session.sampleRate == 16_000 && session.isInputAvailable)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver])
    device.change { $0.route = AudioRoute.known[1] }
    #expect(await eventually { heard.values == ["newDeviceAvailable after [\"MicrophoneBuiltIn\"]"] })
    #expect((session.sampleRate, session.currentRoute.inputs.map(\.portType)) == (24_000, [.bluetoothHFP]))
    device.change { $0.route = .builtIn }
    #expect(await eventually { heard.values.last == "oldDeviceUnavailable after [\"BluetoothHFP\"]" })
    #expect(session.sampleRate == 16_000)
    try session.setCategory(.playback)
    #expect(session.currentRoute.inputs.isEmpty)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func thermalStateAndLowPowerAreThoseOfTheDevice() async {
    let device = device
    let heard = Recorder<NSNotification.Name>()
    let names = [ProcessInfo.thermalStateDidChangeNotification, .NSProcessInfoPowerStateDidChange]
    let observers = names.map { name in listen(to: name) { heard.add($0.name) } }
    device.change { $0.thermal = .critical }
    #expect(await eventually { heard.values.contains(names[0]) })
    device.change { $0.isLowPower = true }
    #expect(await eventually { heard.values.contains(names[1]) })
    device.run {
      #expect(ProcessInfo.processInfo.thermalState == .critical)
      #expect(ProcessInfo.processInfo.isLowPowerModeEnabled)
    }
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  @Test func theScreenIsCapturedWhileSomethingCapturesIt() async {
    let heard = Recorder<Bool>()
    let screen = device.run { UIScreen.main }
    let observer = NotificationCenter.default.addObserver(
      forName: UIScreen.capturedDidChangeNotification, object: screen, queue: nil
    ) { [device] _ in heard.add(device.run { UIScreen.main.isCaptured }) }
    device.change { $0.captures = [.broadcast] }
    #expect(await eventually { heard.values == [true] })
    device.change { $0.captures = [.broadcast, .recorder] }
    device.change { $0.captures = [] }
    #expect(await eventually { heard.values == [true, false] })
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func aMonitorReportsEachChangeOfThePath() async {
    let heard = Recorder<String>()
    let (monitor, cellular) = device.run {
      (NWPathMonitor(), NWPathMonitor(requiredInterfaceType: .cellular))
    }
    monitor.pathUpdateHandler = {
      heard.add("\($0.status) \($0.availableInterfaces.map { $0.name }) \($0.isExpensive)")
    }
    #expect(cellular.currentPath.status == .unsatisfied)
    monitor.start(queue: .global())
    #expect(await eventually { heard.values == ["satisfied [\"en0\"] false"] })
    device.change { $0.network = .cellular }
    #expect(await eventually { heard.values.last == "satisfied [\"pdp_ip0\"] true" })
    #expect(cellular.currentPath.status == .satisfied)
    device.change { $0.network = .none }
    #expect(await eventually { heard.values.last == "unsatisfied [] false" })
    monitor.cancel()
    device.change { $0.network = .wifi }
    #expect(heard.values.count == 3 && monitor.currentPath.usesInterfaceType(.wifi))
  }

  /// With the one name that no other test of this process observes.
  @Test func anAppIsNotifiedAndAnExtensionIsNot() async {
    let heard = Recorder<NSNotification.Name>()
    let name = UIApplication.didReceiveMemoryWarningNotification
    let observer = listen(to: name) { heard.add($0.name) }
    Device(role: .extension).change { $0.app.note(.memoryWarning) }
    device.change { $0.app.note(.memoryWarning) }
    #expect(await eventually { heard.values == [name] })
    NotificationCenter.default.removeObserver(observer)
  }

  @Test(.needs(.ffmpeg)) func anAppInTheBackgroundLosesItsWriter() throws {
    let folder = try TemporaryFolder()
    func writer(_ name: String, on device: Device) throws -> AVAssetWriter {
      let writer = try AVAssetWriter(
        outputURL: URL(fileURLWithPath: folder.path + "/" + name), fileType: .mp4)
      #expect(device.run { writer.startWriting() })
      return writer
    }
    let lost = try writer("app.mp4", on: device)
    let streaming = Device()
    streaming.change { $0.captures = [.stream] }
    let kept = [
      try writer("extension.mp4", on: Device(role: .extension)), try writer("stream.mp4", on: streaming),
    ]
    for each in [device, streaming] { each.change { $0.app.note(.background) } }
    #expect(lost.status == .failed)
    let error = lost.error as? AVError
    #expect(error?.code == .operationInterrupted && error?.errorCode == -11847)
    #expect((error?.errorUserInfo[NSUnderlyingErrorKey] as? NSError)?.code == -16121)
    #expect(kept.allSatisfy { $0.status == .writing })
    for writer in kept { writer.cancelWriting() }
  }
}
