import ScreenCaptureKit
import Testing

/// Tests that the declarations match those that iOS 27 publishes.
@Suite struct DeclarationTests {
  @Test func errorCodesAreThosePublished() {
    let codes: [(SCStreamError.Code, Int)] = [
      (.userDeclined, -3801), (.failedToStart, -3802), (.missingEntitlements, -3803),
      (.failedApplicationConnectionInvalid, -3804), (.failedApplicationConnectionInterrupted, -3805),
      (.failedNoMatchingApplicationContext, -3806), (.attemptToStartStreamState, -3807),
      (.attemptToStopStreamState, -3808), (.attemptToUpdateFilterState, -3809),
      (.attemptToConfigState, -3810), (.internalError, -3811), (.invalidParameter, -3812),
      (.noWindowList, -3813), (.noDisplayList, -3814), (.noCaptureSource, -3815), (.removingStream, -3816),
      (.userStopped, -3817), (.failedToStartAudioCapture, -3818), (.failedToStopAudioCapture, -3819),
      (.failedToStartMicrophoneCapture, -3820), (.systemStoppedStream, -3821),
      (.insufficientStorage, -3822), (.notSupported, -3823), (.missingBackgroundMode, -3824),
    ]
    #expect(codes.count == SCStreamError.Code.allCases.count)
    for (code, number) in codes { #expect(code.rawValue == number) }
  }

  @Test func anErrorIsOneOfFoundationToo() {
    let error: any Error = SCStreamError(.userStopped)
    #expect((error as? SCStreamError)?.code == .userStopped)
    let other = error as NSError
    #expect(other.domain == SCStreamErrorDomain && other.code == -3817)
    #expect(SCStreamErrorDomain == "com.apple.ScreenCaptureKit.SCStreamErrorDomain")
  }

  @Test func anErrorIsCaughtByItsCode() {
    do {
      throw SCStreamError(.userStopped, userInfo: [NSLocalizedDescriptionKey: "text"])
    } catch SCStreamError
      .internalError
    { Issue.record("another code") } catch SCStreamError.userStopped {} catch { Issue.record("not caught") }
  }

  @Test func enumerationsHaveThePublishedNumbers() {
    #expect(SCFrameStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(
      [SCFrameStatus.complete, .idle, .blank, .suspended, .started, .stopped] == SCFrameStatus.allCases)
    #expect([SCStreamOutputType.screen, .audio, .microphone].map(\.rawValue) == [0, 1, 2])
    #expect([SCShareableContentStyle.none, .window, .display].map(\.rawValue) == [0, 1, 2])
    #expect([SCCaptureDynamicRange.SDR, .hdrCanonicalDisplay].map(\.rawValue) == [0, 2])
  }

  @Test func aConfigurationHasThePublishedDefaults() {
    let configuration = SCStreamConfiguration()
    #expect(configuration.sampleRate == 48_000 && configuration.channelCount == 2)
    #expect(!configuration.capturesAudio && !configuration.excludesCurrentProcessAudio)
    #expect(configuration.captureDynamicRange == .SDR)
    let picker = SCContentSharingPickerConfiguration()
    #expect(!picker.showsMicrophoneControl && !picker.showsCameraControl)
  }

  @Test func aRectangleIsADictionaryAndBack() {
    let rectangle = CGRect(x: 1, y: 2, width: 3.5, height: 4)
    #expect(CGRect(dictionaryRepresentation: rectangle.dictionaryRepresentation) == rectangle)
    #expect(CGRect(dictionaryRepresentation: ["X": 1]) == nil)
  }

  @Test func withoutAScreenThePickerFails() async {
    let observer = FailureObserver()
    let picker = SCContentSharingPicker()
    picker.add(observer)
    #expect(!picker.isAvailable)
    picker.present()
    #expect(observer.codes == [.noCaptureSource])
  }
}

private final class FailureObserver: NSObject, SCContentSharingPickerObserver {
  var codes: [SCStreamError.Code?] = []

  func contentSharingPicker(
    _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
  ) {}

  func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?) {}

  func contentSharingPickerStartDidFailWithError(_ error: any Error) {
    codes.append((error as? SCStreamError)?.code)
  }
}
