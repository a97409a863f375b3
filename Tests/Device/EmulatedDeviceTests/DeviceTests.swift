import EmulatedDevice
import TestSupport

@Suite struct DeviceTests {
  @Test func aDeviceHoldsForItsCallsAndTheTasksThatBeginInThem() async {
    let (one, other) = (Device(), Device())
    #expect(one.run { Device.current } === one)
    let seen = await one.run {
      async let task = Task { Device.current }.value
      return await (task, other.run { Device.current })
    }
    #expect(seen.0 === one && seen.1 === other)
    #expect(Device.current !== one && Device.current === Device.current)
  }

  @Test func theVersionOfTheProcessIsThatOfItsDevice() async throws {
    let device = Device(.init(ios: try #require(IOSVersion("15.2"))))
    let version = device.run { ProcessInfo.processInfo.operatingSystemVersion }
    #expect(version.majorVersion == 15 && version.minorVersion == 2)
    // An app may read the version before its device has been determined.
    await #expect(processExitsWith: .success) {
      // UNSAFE: the call copies both texts.
      unsafe setenv("BROADCAST_IOS", "17.4.1", 1)
      let first = ProcessInfo.processInfo.operatingSystemVersion
      #expect(first.majorVersion == 17 && first.minorVersion == 4 && first.patchVersion == 1)
      Device.install(Device(role: .extension))
      let newest = ProcessInfo.processInfo.operatingSystemVersion.majorVersion
      #expect(newest == Device.current.ios.major)
    }
  }

  @Test func anObjectIsMadeOnceForEachDevice() {
    final class Counter: Sendable {}
    let (one, other) = (Device(), Device())
    let first = one.object { _ in Counter() }
    #expect(one.object { _ in Counter() } === first)
    #expect(other.object { _ in Counter() } !== first)
    one.forget(Counter.self)
    #expect(one.object { _ in Counter() } !== first)
  }

  @Test func observersHearEachChangeUntilTheyEnd() {
    let device = Device()
    let heard = Recorder<String>()
    var observation: DeviceObservation? = device.observe { _, old, new in
      heard.add("\(old.thermal) \(new.thermal)")
    }
    device.change { $0.thermal = .fair }
    device.change { $0.thermal = .fair }
    device.change { $0.thermal = .critical }
    #expect(observation != nil)
    observation = nil
    device.change { $0.thermal = .nominal }
    #expect(heard.values == ["nominal fair", "fair critical"])
  }

  @Test func aRefusedChangeChangesNothing() throws {
    let device = Device()
    try device.change { state throws(EventRefusal) in try state.begin(.endsAudio) }
    let refusal = #expect(throws: EventRefusal.self) {
      try device.change { state throws(EventRefusal) in
        state.isLocked = true
        try state.begin(.silencesAudio)
      }
    }
    #expect(refusal?.reason == "The phone is in a call already.")
    #expect(device.state.call == .endsAudio && !device.state.isLocked)
  }
}
