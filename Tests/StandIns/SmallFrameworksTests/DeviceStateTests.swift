import AVFoundation
import EmulatedDevice
import Network
import Photos
import Security
import TestSupport
import UIKit

/// Tests how the frameworks report changes of the device.
@Suite struct DeviceStateTests {
  private let device = Device()

  /// Observes the notifications of a name that the device of this test posts. Tests that run at the same time post the same name
  /// to the same notification center.
  private func listen(
    to name: NSNotification.Name, _ note: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [device] in
      if Device.current === device { note($0) }
    }
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
    // An inactive session gets no notification.
    try call { state throws(EventRefusal) in try state.begin(.endsAudio) }
    let error = #expect(throws: NSError.self) { try session.setActive(true) }
    #expect(error?.domain == NSOSStatusErrorDomain && error?.code == 561_017_449)
    #expect(error?.localizedDescription == "Session activation failed")
    #expect(error?.code == AVAudioSession.ErrorCode.insufficientPriority.rawValue)
    try call { state throws(EventRefusal) in try state.endCall() }
    try session.setActive(true)
    try call { state throws(EventRefusal) in try state.begin(.silencesAudio) }
    #expect(await eventually { heard.values == ["began false"] })
    try call { state throws(EventRefusal) in try state.endCall() }
    #expect(await eventually { heard.values == ["began false", "ended true"] })
    // The session stays inactive until the app activates it.
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
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    device.change { $0.route = AudioRoute.known[1] }
    #expect(await eventually { heard.values == ["newDeviceAvailable after [\"MicrophoneBuiltIn\"]"] })
    #expect((session.sampleRate, session.currentRoute.inputs.map(\.portType)) == (24_000, [.bluetoothHFP]))
    device.change { $0.route = .builtIn }
    #expect(await eventually { heard.values.last == "oldDeviceUnavailable after [\"BluetoothHFP\"]" })
    #expect(session.sampleRate == 16_000)
    try session.setCategory(.playback)
    #expect(session.currentRoute.inputs.isEmpty)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    #expect(await eventually { heard.values.last == "categoryChange after [\"MicrophoneBuiltIn\"]" })
    try session.setCategory(.playback)
    try session.setActive(false)
    try session.setCategory(.ambient)
    await MainActor.run {}
    #expect(heard.values.count == 3)
    NotificationCenter.default.removeObserver(observer)
  }

  @Test(
    arguments: [
      (.playback, .defaultToSpeaker), (.ambient, .allowBluetooth), (.record, .defaultToSpeaker),
      (.multiRoute, .allowBluetoothHFP), (.playback, .allowAirPlay), (.record, .allowAirPlay),
      (.init(rawValue: "Nonsense"), []),
    ] as [(AVAudioSession.Category, AVAudioSession.CategoryOptions)])
  func aCategoryRefusesTheOptionsOfOthers(
    _ category: AVAudioSession.Category, _ options: AVAudioSession.CategoryOptions
  ) throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    try session.setCategory(.record, options: .allowBluetooth)
    let error = #expect(throws: NSError.self) { try session.setCategory(category, options: options) }
    #expect(error?.domain == NSOSStatusErrorDomain && error?.code == -50)
    #expect(error?.localizedDescription == "The operation couldn’t be completed. (OSStatus error -50.)")
    #expect(session.category == .record && session.categoryOptions == .allowBluetooth)
  }

  /// The ports and the rate with AirPods. The modes of a chat add options to the categories that support them.
  @Test(
    arguments: [
      (.playAndRecord, .default, [], [.builtInMic], [.builtInReceiver], 48_000),
      (.playAndRecord, .default, .defaultToSpeaker, [.builtInMic], [.builtInSpeaker], 48_000),
      (.playAndRecord, .default, .allowBluetoothA2DP, [.builtInMic], [.bluetoothA2DP], 48_000),
      (
        .playAndRecord, .default, [.allowBluetoothA2DP, .allowBluetooth], [.bluetoothHFP], [.bluetoothHFP],
        24_000
      ),
      (.playAndRecord, .voiceChat, [], [.bluetoothHFP], [.bluetoothHFP], 24_000),
      (.playAndRecord, .videoChat, [], [.bluetoothHFP], [.bluetoothHFP], 24_000),
      (.playAndRecord, .measurement, [], [.builtInMic], [.builtInReceiver], 48_000),
      (.record, .default, [], [.builtInMic], [], 48_000),
      (.record, .default, .allowBluetooth, [.bluetoothHFP], [], 24_000),
      (.record, .videoChat, [], [.bluetoothHFP], [], 24_000),
      (.playback, .default, [], [], [.bluetoothA2DP], 48_000),
      (.playback, .voiceChat, [], [], [.bluetoothA2DP], 48_000),
      (.ambient, .default, .mixWithOthers, [], [.bluetoothA2DP], 48_000),
      (.multiRoute, .default, [], [.builtInMic], [.builtInSpeaker], 48_000),
    ]
      as [(
        AVAudioSession.Category, AVAudioSession.Mode, AVAudioSession.CategoryOptions, [AVAudioSession.Port],
        [AVAudioSession.Port], Double
      )])
  func theOptionsDecideAboutBluetooth(
    _ category: AVAudioSession.Category, _ mode: AVAudioSession.Mode,
    _ options: AVAudioSession.CategoryOptions, _ inputs: [AVAudioSession.Port],
    _ outputs: [AVAudioSession.Port], _ rate: Double
  ) throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    device.change { $0.route = AudioRoute.known[1] }
    try session.setCategory(category, options: options)
    try session.setMode(mode)
    try session.setActive(true)
    #expect(session.mode == mode && session.categoryOptions == options)
    #expect(session.currentRoute.inputs.map(\.portType) == inputs)
    #expect(session.currentRoute.outputs.map(\.portType) == outputs && session.sampleRate == rate)
  }

  @Test func aSessionInTheBackgroundDoesNotInterruptOthers() throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    try session.setCategory(.playback)
    device.change { $0.app.note(.background) }
    let error = #expect(throws: NSError.self) { try session.setActive(true) }
    #expect(error?.code == 560_557_684)
    #expect(error?.code == AVAudioSession.ErrorCode.cannotInterruptOthers.rawValue)
    try session.setCategory(.playback, options: .mixWithOthers)
    try session.setActive(true)
    try session.setActive(false)
    device.change { $0.app.note(.foreground) }
    try session.setCategory(.playback)
    try session.setActive(true)
    // An active session continues, and an extension is never in the background.
    device.change { $0.app.note(.background) }
    try session.setActive(true)
    let other = Device(role: .extension)
    other.change { $0.app.note(.background) }
    try other.run { try AVAudioSession.sharedInstance().setActive(true) }
  }

  @Test func aPreferredRateIsAWish() throws {
    let session = device.run { AVAudioSession.sharedInstance() }
    for (wish, rate) in [(12_345.0, 16_000.0), (44_100, 44_100), (1e9, 48_000), (-1, 48_000), (.nan, 48_000)]
    {
      try session.setPreferredSampleRate(wish)
      try session.setActive(true)
      #expect(session.sampleRate == rate)
    }
  }

  @Test(
    arguments: [
      (nil, errSecInteractionNotAllowed), (kSecAttrAccessibleWhenUnlocked, errSecInteractionNotAllowed),
      (kSecAttrAccessibleAfterFirstUnlock, errSecSuccess),
    ] as [(CFString?, OSStatus)])
  func aLockedPhoneRefusesItemsOfTheKeychain(_ accessible: CFString?, _ expected: OSStatus) {
    let clock = TestClock()
    let device = Device(role: .extension, clock: clock)
    var item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: UUID().uuidString, kSecValueData: Data([1]),
    ]
    item[kSecAttrAccessible] = accessible
    let query = item.filter { $0.key != kSecValueData }.merging([kSecReturnData: true]) { $1 } as CFDictionary
    let added = item as CFDictionary
    device.run {
      #expect(SecItemAdd(added, nil) == errSecSuccess)
      device.change { $0.isLocked = true }
      clock.advance(by: .seconds(9))
      #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
      clock.advance(by: .seconds(1))
      #expect(SecItemCopyMatching(query, nil) == expected && SecItemUpdate(query, [:]) == expected)
      #expect(SecItemDelete(query) == errSecSuccess && SecItemAdd(added, nil) == expected)
      _ = SecItemDelete(query)
    }
  }

  @Test func readingPhotosNeedsItsOwnPurpose() async {
    await #expect(processExitsWith: .failure) {
      MainBundle.addInfoPlist(ofApp: ["NSPhotoLibraryAddUsageDescription": "To save the recording."])
      Device(role: .app).run { PHPhotoLibrary.requestAuthorization(for: .readWrite) { _ in } }
    }
  }

  @Test func anAppWithoutAPurposeEndsWhenItAsks() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        MainBundle.addInfoPlist(ofApp: ["NSPhotoLibraryAddUsageDescription": "To save the recording."])
        Device(role: .app).run {
          PHPhotoLibrary.requestAuthorization(for: .addOnly) { _ in }
          AVAudioSession.sharedInstance().requestRecordPermission { _ in }
        }
      })
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self).contains(
        "must contain an NSMicrophoneUsageDescription key"))
  }

  @Test func thermalStateAndLowPowerAreThoseOfTheDevice() async {
    let device = device
    let heard = Recorder<NSNotification.Name>()
    let names = [ProcessInfo.thermalStateDidChangeNotification, .NSProcessInfoPowerStateDidChange]
    let observers = names.map { name in listen(to: name) { heard.add($0.name) } }
    // Only a process that has read the state is notified of changes.
    device.change { $0.thermal = .serious }
    device.change { $0.isLowPower = true }
    #expect(await eventually { heard.values == [names[1]] })
    device.change { $0.isLowPower = false }
    device.run { #expect(ProcessInfo.processInfo.thermalState == .serious) }
    device.change { $0.thermal = .critical }
    #expect(await eventually { heard.values.contains(names[0]) })
    device.change { $0.isLowPower = true }
    #expect(await eventually { heard.values.filter { $0 == names[1] }.count == 3 })
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
    #expect(monitor.currentPath.status == .unsatisfied && cellular.currentPath.status == .unsatisfied)
    monitor.start(queue: .global())
    monitor.start(queue: .main)
    #expect(await eventually { heard.values == ["satisfied [\"en0\"] false"] })
    #expect(monitor.currentPath.status == .satisfied)
    cellular.start(queue: .global())
    device.change { $0.network = .cellular }
    #expect(await eventually { heard.values.last == "satisfied [\"pdp_ip0\"] true" })
    #expect(await eventually { cellular.currentPath.status == .satisfied })
    device.change { $0.network = .none }
    #expect(await eventually { heard.values.last == "unsatisfied [] false" })
    monitor.cancel()
    device.change { $0.network = .wifi }
    #expect(heard.values.count == 3 && monitor.currentPath.status == .unsatisfied)
  }

  @Test func anAppIsNotifiedAndAnExtensionIsNot() async {
    let heard = Recorder<Bool>()
    let (app, `extension`) = (device, Device(role: .extension))
    let observer = NotificationCenter.default.addObserver(
      forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
    ) { _ in
      if Device.current === app || Device.current === `extension` { heard.add(Device.current === app) }
    }
    `extension`.change { $0.app.note(.memoryWarning) }
    app.change { $0.app.note(.memoryWarning) }
    #expect(await eventually { heard.values == [true] })
    NotificationCenter.default.removeObserver(observer)
  }

  /// In a separate process, because all tests share the notification center.
  @Test func theLifeOfAnAppHasTheNamesAndTheOrderOfUIKit() async {
    await #expect(processExitsWith: .success) {
      let heard = Recorder<NSNotification.Name>()
      let names = [
        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
        UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        UIApplication.protectedDataDidBecomeAvailableNotification,
      ]
      for name in names + [UIApplication.willTerminateNotification] {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          heard.add($0.name)
        }
      }
      let device = Device(role: .app)
      device.change { $0.app.note(.background) }
      device.change { $0.app.note(.foreground) }
      device.change { $0.isLocked = true }
      device.change { $0.isLocked = false }
      #expect(await eventually { heard.values.count == 6 })
      #expect(heard.values == names)
    }
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
