import Dispatch
import EmulatedDevice

extension DispatchQueue {
  /// Runs `work` on the emulated device of the caller, because in a test each broadcast has its own device. Swift
  /// prefers this method to Dispatch's method, whose other parameters have defaults.
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
    async(group: nil, qos: .unspecified, flags: [], execute: Device.inScope(work))
  }
}
