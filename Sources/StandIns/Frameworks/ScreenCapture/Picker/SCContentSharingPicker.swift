import EmulatedDevice
import Platform

/// The system's view in which the person chooses the content to capture. It is the only source of filters on iOS.
/// Models the class in SCContentSharingPicker.h of iOS 27. May be used on any thread.
///
/// ```swift
/// let picker = SCContentSharingPicker.shared
/// picker.add(observer)
/// picker.isActive = true
/// picker.present()
/// ```
/// Observers are called on a queue of the system. (It is not known which queue a phone uses.)
public class SCContentSharingPicker: NSObject, @unchecked Sendable {
  // Why unchecked: a lock protects the state. Observers are not sendable; one queue calls them.

  private struct State {
    var isActive = false
    var defaults = SCContentSharingPickerConfiguration()
    var overall: SCContentSharingPickerConfiguration?
    var ofStreams: [ObjectIdentifier: SCContentSharingPickerConfiguration] = [:]
    var observers: [any SCContentSharingPickerObserver] = []
    weak var system: (any ContentCaptureSystem)?
  }

  private let lock = NSLock()
  private var state = State()

  public class var shared: SCContentSharingPicker { Device.current.object { _ in SCContentSharingPicker() } }

  package override init() { super.init() }

  /// An inactive picker shows nothing.
  public var isActive: Bool {
    get { lock.withLock { state.isActive } }
    set { lock.withLock { state.isActive = newValue } }
  }

  /// Whether the device can capture. Here: whether the program has an emulated screen.
  public var isAvailable: Bool { lock.withLock { state.system != nil } }

  public var defaultConfiguration: SCContentSharingPickerConfiguration {
    get { lock.withLock { state.defaults } }
    set { lock.withLock { state.defaults = newValue } }
  }

  public var configuration: SCContentSharingPickerConfiguration? {
    get { lock.withLock { state.overall } }
    set { lock.withLock { state.overall = newValue } }
  }

  public func setConfiguration(_ pickerConfig: SCContentSharingPickerConfiguration?, for stream: SCStream) {
    lock.withLock { state.ofStreams[ObjectIdentifier(stream)] = pickerConfig }
  }

  public func add(_ observer: any SCContentSharingPickerObserver) {
    lock.withLock {
      if !state.observers.contains(where: { $0 === observer }) { state.observers.append(observer) }
    }
  }

  public func remove(_ observer: any SCContentSharingPickerObserver) {
    lock.withLock { state.observers.removeAll { $0 === observer } }
  }

  public func present() { present(.any) }

  public func present(using contentStyle: SCShareableContentStyle) {
    switch contentStyle {
    case .none: present(.any)
    case .window: present(.app)
    case .display: present(.display)
    }
  }

  public func presentForCurrentApplication() { present(.app) }

  package enum Request: Sendable { case any, display, app }

  private func present(_ request: Request) {
    let (system, isActive, configuration) = lock.withLock {
      (state.system, state.isActive, state.overall ?? state.defaults)
    }
    guard let system else {
      return fail(with: SCStreamError(.noCaptureSource, "There is no screen to capture."))
    }
    system.onMain { $0.present(self, request, configuration, isActive: isActive) }
  }

  /// Attaches the emulated system without retaining it; `nil` detaches it.
  package func attach(_ system: (any ContentCaptureSystem)?) { lock.withLock { state.system = system } }

  /// Removes observers and configurations, as if the process were new.
  package func reset() { lock.withLock { state = State() } }

  /// Passes the person's choice to the observers, on the caller's thread.
  package func choose(_ filter: SCContentFilter) {
    for observer in observers { observer.contentSharingPicker(self, didUpdateWith: filter, for: nil) }
  }

  package func cancel() {
    for observer in observers { observer.contentSharingPicker(self, didCancelFor: nil) }
  }

  package func fail(with error: SCStreamError) {
    for observer in observers { observer.contentSharingPickerStartDidFailWithError(error) }
  }

  private var observers: [any SCContentSharingPickerObserver] { lock.withLock { state.observers } }
}

public struct SCContentSharingPickerConfiguration: Sendable {
  /// Default: `false`, since beta 2 of iOS 27.
  public var showsMicrophoneControl = false
  /// Without effect: the emulated phone has no camera.
  public var showsCameraControl = false

  public init() {}
}

public protocol SCContentSharingPickerObserver: NSObjectProtocol {
  /// - Parameter stream: the stream whose content changes; `nil` for a new stream.
  func contentSharingPicker(
    _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?)
  func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?)
  func contentSharingPickerStartDidFailWithError(_ error: any Error)
}
