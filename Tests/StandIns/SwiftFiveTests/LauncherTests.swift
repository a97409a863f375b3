import ReplayKit
import Synchronization
import Testing
import UIKit

// App code in the Swift 5 language mode. It uses views of UIKit and ReplayKit outside the main actor. That compiles on iOS,
// because these views are imported from Objective-C. The test is that it also compiles here.

private final class PickerLauncher: NSObject {
  private var picker = RPSystemBroadcastPickerView()
  static let shared = PickerLauncher()

  override init() {
    super.init()
    let view = RPSystemBroadcastPickerView(frame: CGRect(x: 0, y: 0, width: 44, height: 44))
    view.showsMicrophoneButton = false
    view.autoresizingMask = [.flexibleTopMargin, .flexibleRightMargin]
    picker = view
  }

  func tap() -> Int {
    var buttons = 0
    for view in picker.subviews {
      guard let button = view as? UIButton else { continue }
      button.sendActions(for: .touchUpInside)
      buttons += 1
    }
    return buttons
  }
}

@Suite struct LauncherTests {
  @MainActor @Test func aPlainObjectLaunchesThePicker() { #expect(PickerLauncher.shared.tap() == 1) }

  @Test func aServiceWithASetupScreenIsMissing() async {
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<NSError?, Never>) in
      RPBroadcastActivityViewController.load { controller, error in
        continuation.resume(returning: controller == nil ? error as NSError? : nil)
      }
    }
    #expect(error?.domain == RPRecordingErrorDomain && error?.code == -5816)
    final class Handler: RPBroadcastSampleHandler {}
    Handler().updateServiceInfo(["viewers": NSString(string: "3")])
    Handler().updateBroadcast(URL(fileURLWithPath: "/live"))
  }

  /// The delegates conform to `NSObjectProtocol`, as on iOS.
  @MainActor @Test func delegatesAreObjects() {
    final class Delegate: NSObject, RPBroadcastControllerDelegate, RPBroadcastActivityViewControllerDelegate {
      func broadcastActivityViewController(
        _ broadcastActivityViewController: RPBroadcastActivityViewController,
        didFinishWith broadcastController: RPBroadcastController?, error: Error?
      ) {}
    }
    let objects: [NSObjectProtocol] = [
      Delegate() as RPBroadcastControllerDelegate, Delegate() as RPBroadcastActivityViewControllerDelegate,
    ]
    #expect(objects.count == 2)
  }
}
