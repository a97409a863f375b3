import AVFAudio
import EmulatedDevice
import PhoneLink
import PixelAccess
import ScreenBroadcast
import TestSupport
import UIKit
import VideoToolbox

/// Tests names of Core Foundation, Darwin, Foundation and UIKit that handlers use and Linux lacks.
@Suite struct SystemNamesTests {
  @Test func numbersOfCoreFoundation() {
    #expect(CFSwapInt32BigToHost(CFSwapInt32HostToBig(0x0102_0304)) == 0x0102_0304)
    #expect(CFSwapInt32HostToBig(1) == 0x0100_0000 && CFSwapInt16(0x0102) == 0x0201)
    #expect(CFStringGetIntValue(" -42 apples" as CFString) == -42 && CFStringGetIntValue("x") == 0)
    #expect(CFStringGetIntValue("99999999999") == .max && CFStringGetIntValue("-99999999999") == .min)
    #expect(CFDataGetLength(Data([1, 2, 3]) as CFData) == 3)
    let cases: [(Int, CFStringBuiltInEncodings)] = [(5, .UTF8), (5, .UTF16), (5, .ASCII), (.max / 2, .UTF8)]
    let sizes = cases.map { CFStringGetMaximumSizeForEncoding($0, $1.rawValue) }
    #expect(sizes == [15, 10, 5, kCFNotFound])
    let data = CFDataCreateMutable(nil, 0)
    data?.append(Data([1]))
    #expect(data.map { CFDataGetLength($0) } == 1)
    #expect(
      Double(number: 2 as CGFloat) == 2 && Double(number: 2 as UInt32) == 2 && Double(number: "2") == nil)
  }

  @Test func theUnitOfMachTimeIsThatOfAPhone() {
    var info = mach_timebase_info()
    // UNSAFE: the parameter is a local variable.
    #expect(unsafe mach_timebase_info(&info) == 0)
    #expect(info.numer == 125 && info.denom == 3)
    let units = mach_absolute_time()
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    let seconds = Double(units) * Double(info.numer) / Double(info.denom) / 1e9
    #expect(abs(seconds - now.seconds) < 1)
    #expect(CMClockMakeHostTimeFromSystemUnits(24_000_000).seconds == 1)
    #expect(CMClock.convertHostTimeToSystemUnits(CMTime(value: 1, timescale: 2)) == 12_000_000)
  }

  @Test func aSocketTakesTheOptionThatLinuxLacks() {
    let socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    defer { Darwin.close(socket) }
    var (on, size) = (Int32(1), Int32(65_536))
    let length = socklen_t(MemoryLayout<Int32>.size)
    // UNSAFE: the values are local variables of these sizes.
    #expect(unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, length) == 0)
    #expect(unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, length) == 0)
  }

  @Test func theDeviceHasPowerAndIsCool() {
    Device().run {
      #expect(
        ProcessInfo.processInfo.thermalState == .nominal && !ProcessInfo.processInfo.isLowPowerModeEnabled)
      let device = UIDevice.current
      #expect(device.batteryLevel == -1 && device.batteryState == .unknown)
      device.isBatteryMonitoringEnabled = true
      #expect(device.batteryLevel == 1 && device.batteryState == .full)
      #expect(UIDevice.current.isBatteryMonitoringEnabled)
    }
  }

  @Test(
    arguments: [
      ("ipad", "14.2.1", ["iPad", "iOS", "14.2.1"], .pad, [820, 1180, 2, 1640, 2360, 2]),
      ("ipad-pro-13", "17.4.1", ["iPad", "iPadOS", "17.4.1"], .pad, [1032, 1376, 2, 2064, 2752, 2]),
      ("iphone-13-mini", "17", ["iPhone", "iOS", "17.0"], .phone, [375, 812, 3, 1080, 2340, 2.88]),
    ] as [(String, String, [String], UIUserInterfaceIdiom, [CGFloat])])
  func eachDeviceAnswersForItself(
    _ name: String, _ ios: String, _ words: [String], _ idiom: UIUserInterfaceIdiom, _ numbers: [CGFloat]
  ) throws {
    let profile = try #require(DeviceProfile.named(name))
    Device(.init(profile: profile, ios: try #require(IOSVersion(ios)))).run {
      let (device, screen) = (UIDevice.current, UIScreen.main)
      #expect([device.model, device.systemName, device.systemVersion] == words)
      #expect(device.userInterfaceIdiom == idiom && (idiom == .phone || device.name == "iPad"))
      let (bounds, native) = (screen.bounds.size, screen.nativeBounds.size)
      let found = [
        bounds.width, bounds.height, screen.scale, native.width, native.height, screen.nativeScale,
      ]
      #expect(found == numbers)
    }
  }

  @Test func descriptionsOfOneFormatAreEqual() throws {
    func description(_ width: Int) throws -> CMFormatDescription {
      try #require(makeSample(makeFilledPicture(width, 120)).formatDescription)
    }
    let first = try description(160)
    #expect(CMFormatDescriptionEqual(first, otherFormatDescription: try description(160)))
    #expect(!CMFormatDescriptionEqual(first, otherFormatDescription: try description(162)))
    #expect(!CMFormatDescriptionEqual(first, otherFormatDescription: nil))
    #expect(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), end: CMTime(value: 2, timescale: 1))
    #expect(range.duration == CMTime(value: 3, timescale: 2) && range.containsTime(range.start))
    #expect(!range.containsTime(range.end))
  }

  @Test func aTransferMayTrim() throws {
    let source = try makePatternedPicture(160, 80) { plane, _, x in
      plane == 0 ? (x < 40 || x >= 120 ? 20 : 200) : 128
    }
    let target = try makeFilledPicture(40, 40)
    var session: VTPixelTransferSession?
    // UNSAFE: the out parameter is a local variable.
    unsafe VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &session)
    let transfer = try #require(session)
    func corner() -> UInt8 { target.readPlane(0) { bytes, _ in bytes[0] } }
    #expect(VTPixelTransferSessionTransferImage(transfer, from: source, to: target) == 0 && corner() == 20)
    let key = kVTPixelTransferPropertyKey_ScalingMode
    #expect(VTSessionSetProperty(transfer, key: key, value: kVTScalingMode_Trim) == 0)
    #expect(VTPixelTransferSessionTransferImage(transfer, from: source, to: target) == 0 && corner() == 200)
    #expect(
      VTSessionSetProperty(transfer, key: key, value: kVTScalingMode_Letterbox) == kVTPropertyNotSupportedErr)
  }

  /// The views of an app that shows the captured screen.
  @MainActor @Test func viewsHoldImagesAndTitles() throws {
    let pixels = try PixelBufferPool(
      width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
    let picture = CIImage(cvPixelBuffer: pixels)
    let rendered = try #require(CIContext().createCGImage(picture, from: picture.extent))
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.image = UIImage(cgImage: rendered)
    #expect(view.image?.size == CGSize(width: 16, height: 8))
    #expect(UIImageView(image: view.image).frame.size == CGSize(width: 16, height: 8))
    let button = UIButton()
    button.setTitle("Start", for: .normal)
    button.setTitle("Stop", for: .selected)
    #expect(button.title(for: .selected) == "Stop" && button.title(for: .highlighted) == "Start")
    view.addSubview(button)
  }

  @Test func settingsOfTheAudioSessionAreKept() throws {
    let session = Device().run { AVAudioSession.sharedInstance() }
    #expect((session.category, session.mode) == (.soloAmbient, .default) && session.categoryOptions == [])
    try session.setCategory(.playAndRecord, mode: .videoChat, options: [.mixWithOthers])
    try session.setActive(true)
    #expect(session.category == .playAndRecord && session.mode == .videoChat)
    #expect(session.categoryOptions == .mixWithOthers && session.sampleRate == 48_000)
  }
}
