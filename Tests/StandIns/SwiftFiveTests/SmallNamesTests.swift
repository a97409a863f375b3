import Accelerate
import CryptoKit
import MobileCoreServices
import ReplayKit
import Security
import Testing
import UIKit
import VideoToolbox
import Vision
import os

@testable import AVFoundation

// Small APIs in the forms that public handlers use.

@Suite struct SmallNamesTests {
  @Test(arguments: [
    ("film", UTType.mpeg4Movie, "film.mp4"), ("film.mp4", .mpeg4Movie, "film.mp4"),
    ("a.jpg", .jpeg, "a.jpg"), ("a.jpg", .png, "a.jpg.png"), ("a", .data, "a"),
  ])
  func aTypeEndsTheName(_ name: String, _ type: UTType, _ result: String) {
    let folder = URL(fileURLWithPath: "/tmp")
    var url = folder
    url.appendPathComponent(name, conformingTo: type)
    #expect(url.lastPathComponent == result)
    #expect(folder.appendingPathComponent(name).appendingPathExtension(for: type) == url)
  }

  @Test func aTextWithoutTranslationIsItsKey() {
    let (count, name) = (3, "app")
    #expect(String(localized: "\(count) frames of \(name), 100 %") == "3 frames of app, 100 %")
    #expect(String(localized: "done", comment: "at the end") == "done")
    #expect(String(localized: "begins with \(name.prefix(2))") == "begins with ap")
    #expect(String(localized: "key", defaultValue: "text \(0.5)") == "text 0.500000")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.waitsForConnectivity = true
    #expect(!configuration.waitsForConnectivity)
  }

  @Test func aLockIsHeldByOne() {
    var plain = os_unfair_lock()
    os_unfair_lock_lock(&plain)
    #expect(!os_unfair_lock_trylock(&plain))
    os_unfair_lock_unlock(&plain)
    #expect(os_unfair_lock_trylock(&plain))
    let count = OSAllocatedUnfairLock(initialState: 0)
    DispatchQueue.concurrentPerform(iterations: 1000) { _ in count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 1000)
    let lock = OSAllocatedUnfairLock()
    lock.lock()
    #expect(!lock.lockIfAvailable())
    lock.unlock()
    #expect(lock.withLock { true } && count.withLockIfAvailable { $0 } == 1000)
    #expect(count.withLockUnchecked { _ in count.withLockIfAvailable { $0 } } == nil)
  }

  @Test func timesAreCompared() {
    let (half, one) = (CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 1))
    #expect(CMTimeMinimum(half, one) == half && CMTimeMaximum(half, one) == one)
    #expect(CMTimeAbsoluteValue(CMTime(value: -1, timescale: 2)) == half)
    #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
    #expect(CMTimeMultiplyByFloat64(one, multiplier: 0.5).seconds == 0.5)
    #expect(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: -1) == .negativeInfinity)
    #expect(CMTIME_IS_VALID(one) && CMTIME_IS_NUMERIC(one) && CMTIME_IS_INVALID(.invalid))
    #expect(CMTIME_IS_INDEFINITE(.indefinite) && CMTIME_IS_POSITIVEINFINITY(.positiveInfinity))
  }

  @Test func aSampleIsMadeOfAnImage() throws {
    let image = try pixels(16, 16)
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: 7, timescale: 30), decodeTimeStamp: .invalid)
    let sample = try CMSampleBuffer(
      imageBuffer: image, formatDescription: try CMFormatDescription(imageBuffer: image), sampleTiming: timing
    )
    #expect(sample.imageBuffer === image && sample.presentationTimeStamp == timing.presentationTimeStamp)
    #expect(try sample.sampleTimingInfos().count == 1)
    let other = try CMFormatDescription(imageBuffer: try pixels(32, 16))
    #expect(throws: (any Error).self) {
      try CMSampleBuffer(imageBuffer: image, formatDescription: other, sampleTiming: timing)
    }
  }

  @Test func aBufferTakesTheMemoryOfAnother() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let original = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    original.frameLength = 3
    original.floatChannelData?[1][2] = 0.5
    var isReleased = false
    var buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: original.audioBufferList) { _ in
      isReleased = true
    }
    #expect(buffer?.frameLength == 3 && buffer?.floatChannelData?[1][2] == 0.5)
    buffer = nil
    #expect(isReleased)
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    #expect(AVAudioPCMBuffer(pcmFormat: mono, bufferListNoCopy: original.audioBufferList) == nil)
  }

  /// A link that was paused or removed does not call its target.
  @Test func aDisplayLinkCallsItsTarget() async {
    final class Target: NSObject {
      var done: CheckedContinuation<Double, Never>?
      var calls = 0
      func step(_ link: CADisplayLink) {
        calls += 1
        link.invalidate()
        done?.resume(returning: link.targetTimestamp - link.timestamp)
      }
    }
    let (target, other) = (Target(), Target())
    let idle = (0..<2).map { _ in CADisplayLink(target: other, selector: Selector(Target.step(_:))) }
    idle[0].isPaused = true
    for link in idle { link.add(to: .main, forMode: .common) }
    idle[1].remove(from: .main, forMode: .common)
    let interval = await withCheckedContinuation { continuation in
      target.done = continuation
      let link = CADisplayLink(target: target, selector: Selector(Target.step(_:)))
      link.preferredFramesPerSecond = 20
      link.add(to: .main, forMode: .common)
    }
    #expect(abs(interval - 0.05) < 1e-6)
    // The paused link has updated its timestamp, and the removed link has not.
    #expect(idle[0].timestamp > 0 && idle[1].timestamp == 0 && other.calls == 0)
    idle[0].invalidate()
  }

  /// Returns the red, green and blue of a pixel, counted from the top left: 1 for bright, 0 for dark, -1 for a value in
  /// between.
  private func colour(_ image: CGImage?, _ x: Int, _ y: Int) -> [Int] {
    guard let image, let data = image.dataProvider?.data else { return [] }
    let start = y * image.bytesPerRow + 4 * x
    return data[start..<start + 3].map { ($0 > 220) ? 1 : ($0 < 35 ? 0 : -1) }
  }

  private func pixels(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
    return try #require(buffer)
  }

  @Test func aRendererDrawsFromTheTopLeft() throws {
    let format = UIGraphicsImageRendererFormat.default()
    format.scale = 2
    let image = UIGraphicsImageRenderer(size: CGSize(width: 4, height: 2), format: format).image { context in
      context.cgContext.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: 2, height: 1))
    }
    #expect(image.size == CGSize(width: 4, height: 2) && image.scale == 2 && image.cgImage?.width == 8)
    #expect(colour(image.cgImage, 3, 1) == [1, 0, 0] && colour(image.cgImage, 3, 2) == [0, 0, 0])
    UIGraphicsBeginImageContextWithOptions(CGSize(width: 8, height: 4), true, 1)
    image.draw(in: CGRect(x: 4, y: 0, width: 4, height: 4))
    let drawn = try #require(UIGraphicsGetImageFromCurrentImageContext()?.cgImage)
    UIGraphicsEndImageContext()
    #expect(UIGraphicsGetCurrentContext() == nil)
    #expect(colour(drawn, 4, 1) == [1, 0, 0] && colour(drawn, 3, 1) == [0, 0, 0])
    #expect(colour(drawn, 4, 2) == [0, 0, 0] && colour(drawn, 6, 1) == [0, 0, 0])
    let context = try #require(
      CGContext(
        data: nil, width: 8, height: 4, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
    UIGraphicsPushContext(context)
    #expect(UIGraphicsGetCurrentContext() === context)
    image.draw(in: CGRect(x: 4, y: 0, width: 4, height: 4))
    UIGraphicsPopContext()
    #expect(UIGraphicsGetCurrentContext() == nil)
    // The y axis of this context points up.
    let pushed = context.makeImage()
    #expect(colour(pushed, 4, 3) == [1, 0, 0] && colour(pushed, 3, 3) == [0, 0, 0])
  }

  @Test func aContextOfGrayHasTheLuma() throws {
    var bytes = [UInt8](repeating: 9, count: 8)
    let context = try #require(
      CGContext(
        data: &bytes, width: 4, height: 2, bitsPerComponent: 8, bytesPerRow: 4,
        space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
    context.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
    context.fill(CGRect(x: 0, y: 1, width: 2, height: 1))
    #expect(context.bitsPerPixel == 8 && bytes == [149, 149, 9, 9, 9, 9, 9, 9])
  }

  @Test func anImageIsComposedOverAColour() throws {
    let red = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 16, height: 8))
    let blue = CIImage(color: .blue).cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4))
      .transformed(by: CGAffineTransform(translationX: 4, y: 4))
    let image = blue.composited(over: red)
    #expect(image.extent == red.extent)
    let drawn = CIContext().createCGImage(image, from: image.extent)
    // The y axis of the image points up.
    #expect(colour(drawn, 5, 1) == [0, 0, 1] && colour(drawn, 1, 1) == [1, 0, 0])
    #expect(colour(drawn, 5, 6) == [1, 0, 0] && colour(drawn, 12, 1) == [1, 0, 0])
    let behind = blue.composited(over: CIImage(color: .red))
    #expect(CIImage(color: .red).extent == .infinite && behind.extent == .infinite)
    #expect(colour(CIContext().createCGImage(behind, from: image.extent), 12, 1) == [1, 0, 0])
    var made: CGImage?
    #expect(VTCreateCGImageFromCVPixelBuffer(try pixels(16, 8), options: nil, imageOut: &made) == noErr)
    #expect(made?.width == 16)
  }

  /// The first listing of the article, in which the import has replaced `#selector`.
  @MainActor private final class ScreenShareViewController: UIViewController {
    var taps = 0
    lazy var startScreenShareButton: UIButton = {
      let button = UIButton()
      button.setTitle("Start screen share", for: .normal)
      button.setTitleColor(.systemGreen, for: .normal)
      button.setTitleColor(.gray, for: .disabled)
      button.addTarget(
        self, action: Selector(ScreenShareViewController.startScreenShareButtonTapped), for: .touchUpInside)
      return button
    }()
    lazy var videoImageView: UIImageView = {
      let imageView = UIImageView()
      imageView.image = UIImage(systemName: "rectangle.slash")
      imageView.contentMode = .scaleAspectFit
      return imageView
    }()

    func startScreenShareButtonTapped() { taps += 1 }
  }

  @MainActor @Test func theFirstListingOfTheArticleCompilesAndItsButtonWorks() {
    var controller: ScreenShareViewController? = ScreenShareViewController()
    let button = controller?.startScreenShareButton
    button?.sendActions(for: .touchUpInside)
    button?.sendActions(for: .touchDown)
    #expect(controller?.taps == 1)
    #expect(
      button?.titleColor(for: .normal) == UIColor(red: 52 / 255, green: 199 / 255, blue: 89 / 255, alpha: 1))
    #expect(button?.titleColor(for: .disabled) == .gray && button?.titleColor(for: .selected) == .systemGreen)
    #expect(controller?.videoImageView.image != nil && UIImage(systemName: "") == nil)
    UIImpactFeedbackGenerator(style: .light).impactOccurred()
    // As in UIKit, the button does not retain its target.
    weak let released = controller
    controller = nil
    #expect(released == nil)
    button?.sendActions(for: .touchUpInside)
  }

  @Test func theKeychainFindsChangesAndRemovesItsItems() {
    let account = UUID().uuidString
    let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
    ]
    func data(_ more: [CFString: Any] = [:]) -> (OSStatus, Any?) {
      var result: CFTypeRef?
      let query = item.merging([kSecReturnData: true]) { $1 }.merging(more) { $1 } as CFDictionary
      return (SecItemCopyMatching(query, &result), result)
    }
    #expect(data().0 == errSecItemNotFound && SecItemDelete(item as CFDictionary) == errSecItemNotFound)
    let token = item.merging([kSecValueData: Data("a".utf8)]) { $1 } as CFDictionary
    #expect(SecItemAdd(token, nil) == errSecSuccess && SecItemAdd(token, nil) == errSecDuplicateItem)
    #expect(data().1 as? Data == Data("a".utf8) && data([kSecAttrService: "other"]).0 == errSecItemNotFound)
    let change = [kSecValueData: Data("b".utf8)] as CFDictionary
    #expect(SecItemUpdate(item as CFDictionary, change) == errSecSuccess)
    #expect(data([kSecMatchLimit: kSecMatchLimitAll]).1 as? [Data] == [Data("b".utf8)])
    let attributes = data([kSecReturnAttributes: true]).1 as? [String: Any]
    #expect(attributes?[kSecAttrAccount as String] as? String == account)
    #expect(attributes?[kSecValueData as String] as? Data == Data("b".utf8))
    #expect(SecItemDelete(item as CFDictionary) == errSecSuccess && data().0 == errSecItemNotFound)
    #expect(SecItemAdd([:], nil) == errSecParam)
  }

  @Test func theAttachmentsOfASampleAreKept() throws {
    let image = try pixels(16, 8)
    let made = try CMSampleBuffer(
      imageBuffer: image, formatDescription: try CMFormatDescription(imageBuffer: image),
      sampleTiming: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(made) == made.presentationTimeStamp)
    #expect(made.sampleAttachments.count == 1 && made.sampleAttachments[0][.notSync] == nil)
    made.sampleAttachments[0][.notSync] = true
    let array = CMSampleBufferGetSampleAttachmentsArray(made, createIfNecessary: false) as? [[CFString: Any]]
    #expect(array?.first?[kCMSampleAttachmentKey_NotSync] as? Bool == true)
    #expect(made.sampleAttachments.first?[.notSync] as? Bool == true)
  }

  @Test func vectorsHaveAMeanAndAreShifted() {
    var (mean, offset, shifted) = (Float(0), Float(10), [Float](repeating: 0, count: 4))
    let values: [Float] = [1, 2, 3, 6]
    vDSP_meanv(values, 1, &mean, 4)
    vDSP_vsadd(values, 1, &offset, &shifted, 1, 4)
    #expect(mean == 3 && shifted == [11, 12, 13, 16])
    vDSP_meanv(values, 2, &mean, 2)
    #expect(mean == 2)
    OSMemoryBarrier()
    var count: Int32 = 4
    #expect(OSAtomicIncrement32(&count) == 5 && count == 5)
    #expect(CFRangeMake(1, 2) == CFRange(location: 1, length: 2))
    #expect(UIDevice.current.localizedModel == UIDevice.current.model)
    #expect(kUTTypeJPEG as String == UTType.jpeg.identifier)
  }

  @Test func vImageScalesPixelsOfFourBytes() throws {
    var (bytes, half) = ([UInt8](repeating: 8, count: 4 * 32), [UInt8](repeating: 0, count: 2 * 16))
    for row in 0..<4 { for x in 0..<8 { bytes[row * 32 + 4 * x + 2] = UInt8(x / 4 * 200) } }
    let codes = bytes.withUnsafeMutableBytes { source in
      half.withUnsafeMutableBytes { target in
        var from = vImage_Buffer(
          data: source.baseAddress, height: vImagePixelCount(4), width: vImagePixelCount(8), rowBytes: 32)
        var (to, empty) = (
          vImage_Buffer(data: target.baseAddress, height: 2, width: 4, rowBytes: 16), vImage_Buffer()
        )
        let code = vImageScale_ARGB8888(&from, &to, nil, vImage_Flags(kvImageNoFlags))
        to.rowBytes = 15
        return [code, vImageScale_ARGB8888(&from, &to, nil, 0), vImageScale_ARGB8888(&empty, &from, nil, 0)]
      }
    }
    #expect(codes == [kvImageNoError, kvImageInvalidParameter, kvImageInvalidParameter])
    #expect(half[0..<4] == [8, 8, 0, 8] && half[28..<32] == [8, 8, 200, 8])
  }

  /// Audio is converted between formats of linear PCM only. The encoder of a handler fails at its creation.
  @Test func aConverterToAACIsNotCreated() throws {
    var source = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 8, mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32,
      mReserved: 0)
    var target = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    var codec = AudioClassDescription(
      mType: kAudioEncoderComponentType, mSubType: kAudioFormatMPEG4AAC,
      mManufacturer: kAppleSoftwareAudioCodecManufacturer)
    var converter: AudioConverterRef?
    #expect(
      AudioConverterNewSpecific(&source, &target, 1, &codec, &converter)
        == kAudioConverterErr_FormatNotSupported)
    #expect(AudioConverterNewSpecific(&source, &source, 1, &codec, &converter) == noErr)
    let made = try #require(converter)
    var (rate, size, quality) = (UInt32(64_000), UInt32(4), kAudioConverterQuality_Medium)
    #expect(
      AudioConverterSetProperty(made, kAudioConverterEncodeBitRate, 4, &rate)
        == kAudioConverterErr_PropertyNotSupported)
    #expect(AudioConverterSetProperty(made, kAudioConverterSampleRateConverterQuality, 4, &quality) == noErr)
    #expect(
      AudioConverterGetProperty(made, kAudioConverterPropertyMaximumOutputPacketSize, &size, &rate)
        == kAudioConverterErr_PropertyNotSupported)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    func bytes(of buffer: AVAudioBuffer?) -> UInt32? { (buffer as? AVAudioCompressedBuffer)?.byteLength }
    #expect(bytes(of: AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1)) == nil)
    #expect(AVAudioFormat(streamDescription: &target) == nil)
    let encoder = AVAudioConverter(from: format, to: format)
    encoder?.bitRate = 64_000
    #expect(encoder?.maximumOutputPacketSize == 4)
  }

  @Test func anImageIsRenderedInAFormat() throws {
    let image = CIImage(color: .red).cropped(to: CGRect(x: 2, y: 2, width: 4, height: 2))
    let made = try #require(
      CIContext().createCGImage(
        image, from: image.extent, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()))
    #expect(made.width == 4 && made.height == 2 && colour(made, 0, 0) == [1, 0, 0])
  }

  @Test func visionFailsAsInASimulator() throws {
    var failure: (any Error)?
    let request = VNRecognizeTextRequest { failure = $0.results == nil ? $1 : nil }
    let handler = VNImageRequestHandler(ciImage: CIImage(color: .white), options: [:])
    #expect(throws: (any Error).self) { try handler.perform([request]) }
    #expect(failure.map { ($0 as NSError).code } == 9 && request.results == nil)
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]) func hashesAreThoseOfTheStandard(_ text: String, _ hash: String) {
    let digest = SHA256.hash(data: Data(text.utf8))
    #expect(digest.map { String(format: "%02x", $0) }.joined() == hash)
    var pieces = SHA256()
    for _ in 0..<3 { pieces.update(data: Data(text.utf8)) }
    #expect(pieces.finalize() == SHA256.hash(data: Data((text + text + text).utf8)))
    var random = [UInt8](repeating: 0, count: 32)
    #expect(SecRandomCopyBytes(kSecRandomDefault, random.count, &random) == errSecSuccess)
    #expect(Set(random).count > 1)
  }

  @Test func anErrorIsCaughtByItsCode() {
    do { throw AVError(.diskFull, "full") } catch AVError.fileAlreadyExists {
      Issue.record("another code")
    } catch AVError.diskFull {
    } catch { Issue.record("not caught") }
  }
}
