import Dispatch
import EmulatedDevice

extension DispatchQueue {
  /// Takes the emulated device of the caller with it: in a test each broadcast has its own. Swift prefers this method to Dispatch's,
  /// whose other parameters have defaults.
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
    async(group: nil, qos: .unspecified, flags: [], execute: Device.carried(work))
  }
}
