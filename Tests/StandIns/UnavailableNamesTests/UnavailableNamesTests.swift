import Foundation
import TestSupport
import Testing

/// The compiler says why a name is missing, also in the calls in which people write the name.
@Suite struct UnavailableNamesTests {
  /// One call in each line.
  private static let calls = #"""
    _ = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front)
    _ = AVCaptureDevice.authorizationStatus(for: .audio)
    _ = AVCaptureSession()
    let e = AVAudioEngine(); e.inputNode.installTap(onBus: 0, bufferSize: 1, format: nil) { _, _ in }
    _ = try? AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/x"))
    _ = AVPlayer(url: URL(fileURLWithPath: "/x"))
    func f(_ a: AVAsset) { _ = try? AVAssetReader(asset: a) }
    func f(_ a: AVAsset) { _ = AVAssetExportSession(asset: a, presetName: AVAssetExportPresetPassthrough) }
    _ = try? AVAudioFile(forWriting: URL(fileURLWithPath: "/x"), settings: [:])
    class D: NSObject, AVAssetWriterDelegate {}
    _ = AVAssetWriter(contentType: .mpeg4Movie)
    func f(_ x: AVAssetWriter) { x.preferredOutputSegmentInterval = .zero }
    _ = NWProtocolWebSocket.Options()
    final class X: NWProtocolFramerImplementation {}; _ = NWProtocolFramer.Options(definition: NWProtocolFramer.Definition(implementation: X.self))
    func f(_ l: NWListener) { l.service = NWListener.Service(type: "_x._tcp") }
    UIApplication.shared.isIdleTimerDisabled = true
    _ = UIDevice.current.orientation.isLandscape
    os_signpost(.begin, log: OSLog(subsystem: "a", category: "b"), name: "x")
    let s = OSSignposter(subsystem: "a", category: "b"); _ = s.beginInterval("x")
    _ = try? OSLogStore(scope: .currentProcessIdentifier)
    _ = NSItemProvider()
    NSFileCoordinator().coordinate(readingItemAt: URL(fileURLWithPath: "/x"), error: nil) { _ in }
    _ = CFMessagePortCreateLocal(nil, "a" as CFString, nil, nil, nil)
    _ = CFMessagePortCreateRemote(nil, "a" as CFString)
    class D { var p: RTCPeerConnection? }
    func f(_ x: RTCPeerConnectionFactory) { _ = x.peerConnection(with: RTCConfiguration(), constraints: RTCMediaConstraints(mandatoryConstraints: nil, optionalConstraints: nil), delegate: nil) }
    _ = RTCPeerConnectionFactory(encoderFactory: RTCDefaultVideoEncoderFactory(), decoderFactory: RTCDefaultVideoDecoderFactory())
    var d: VTDecompressionSession?; func f(_ x: CMFormatDescription) { _ = VTDecompressionSessionCreate(allocator: nil, formatDescription: x, decoderSpecification: nil, imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &d) }
    var d: VTPixelRotationSession?; _ = VTPixelRotationSessionCreate(kCFAllocatorDefault, &d)
    _ = try? AES.GCM.seal(Data(), using: SymmetricKey(size: .bits256))
    _ = HMAC<SHA256>.authenticationCode(for: Data(), using: SymmetricKey(data: Data()))
    _ = Insecure.MD5.hash(data: Data())
    let f = CIFilter.gaussianBlur(); f.radius = 3
    _ = CIFilter(name: "CIGaussianBlur")
    _ = CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: nil)
    let c = SCRecordingOutputConfiguration(); c.outputURL = URL(fileURLWithPath: "/x")
    func f(_ x: CVPixelBuffer) { _ = CVPixelBufferGetIOSurface(x) }
    func f(_ c: CIContext, _ i: CIImage) { _ = c.pngRepresentation(of: i, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()) }
    func f(_ c: CIContext, _ i: CIImage) { _ = c.heifRepresentation(of: i, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()) }
    _ = AVSampleBufferDisplayLayer()
    _ = MTLCreateSystemDefaultDevice()!
    if let d = MTLCreateSystemDefaultDevice() { _ = CIContext(mtlDevice: d) }
    func f(_ b: CMSampleBuffer) { let a = CMSampleBufferGetSampleAttachmentsArray(b, createIfNecessary: true)!; _ = unsafeBitCast(CFArrayGetValueAtIndex(a, 0), to: CFMutableDictionary.self) }
    let t = NLTagger(tagSchemes: [.nameType]); t.string = ""
    let t = NSLinguisticTagger(tagSchemes: [.script], options: 0); t.enumerateTags(in: NSRange(location: 0, length: 1), unit: .word, scheme: .script, options: [.omitWhitespace]) { tag, _, _ in print(tag ?? "") }
    _ = NSLinguisticTagger(tagSchemes: [.script], options: 0).dominantLanguage ?? ""
    func f(_ i: CIImage) { _ = i.applyingFilter("CIGaussianBlur", parameters: ["inputRadius": 3]).extent }
    var a = vImage_Buffer(), b = vImage_Buffer(); _ = vImagePermuteChannels_ARGB8888(&a, &b, [2, 1, 0, 3], vImage_Flags(kvImageNoFlags))
    func f(_ d: CFDictionary, _ k: UnsafeRawPointer) { _ = CFDictionaryContainsKey(d, k); _ = CFDictionaryGetValue(d, k) }
    func f(_ s: VTCompressionSession) { var d: CFDictionary?; _ = VTSessionCopySerializableProperties(s, allocator: nil, dictionaryOut: &d) }
    UIDevice.current.beginGeneratingDeviceOrientationNotifications()
    _ = NotificationCenter.default.addObserver(forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil) { _ in }
    _ = vDSP_create_fftsetup(10, FFTRadix(kFFTRadix2))!
    class D { var s: FFTSetup? }
    ProcessInfo.processInfo.performExpiringActivity(withReason: "save") { isExpired in print(isExpired) }
    let s = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .main); s.resume()
    let s = DispatchSource.makeMemoryPressureSource(eventMask: .all); s.resume()
    _ = URLSession(configuration: .background(withIdentifier: "upload"))
    let t = UIApplication.shared.beginBackgroundTask { print("expired") }; print(t)
    """#

  private static let modules = [
    "ReplayKit", "AVFoundation", "UIKit", "Network", "VideoToolbox", "CryptoKit", "OSLog", "Accelerate",
    "CoreImage", "WebRTC", "ScreenCaptureKit",
  ]

  @Test func theCallsOfPeopleSayWhatToUse() async throws {
    let folder = TemporaryFolder.ofSuite()
    let calls = Self.calls.split(separator: "\n").map(String.init)
    let lines = calls.enumerated().map { "@MainActor func call\($0)() { \($1) }" }
    let code = (Self.modules.map { "import \($0)" } + lines).joined(separator: "\n")
    let file = folder.url.appending(path: "Calls.swift")
    try Data(code.utf8).write(to: file)
    let compiler = try await SwiftCompiler(module: "Calls", [file], mode: "5", in: folder.url.path)
    let errors = compiler.messages.map { (line: $0.line - Self.modules.count - 1, text: $0.text) }
    for (index, call) in calls.enumerated() {
      let texts = errors.filter { $0.line == index }.map(\.text)
      // A sentence follows the name, and no other error hides the sentence.
      #expect(
        !texts.isEmpty && texts.allSatisfy { $0.contains(#/ is unavailable: [A-Z].* .*\./#) },
        "\(call): \(texts.joined(separator: ", "))")
    }
    #expect(errors.allSatisfy { calls.indices.contains($0.line) }, "\(compiler.output.prefix(2000))")
  }
}
