import EmulatedDevice
import Synchronization

/// Counts how often code on a device requested the data of delivered audio. For the emulated system.
package final class SoundReads: Sendable {
  package let count = Atomic(0)

  /// The count of a device.
  package static func shared(for device: Device) -> SoundReads { device.object { _ in SoundReads() } }
}
