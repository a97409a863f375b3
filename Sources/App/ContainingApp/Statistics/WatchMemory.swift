import Dispatch
import EmulatedDevice
import PhoneLink
import Platform
import ScreenBroadcast
import Synchronization

/// The memory of app and extension, as the limit of an extension counts it; `nil` if it is not known.
package final class WatchMemory: Sendable {
  /// The memory in bytes above which the device ends an extension; `nil` without a limit.
  package var limit: UInt64? { device.identity.memoryLimit }

  /// The written memory of this process in bytes. The kernel takes longer for it the more the process maps.
  let app: @Sendable () -> UInt64?
  private let container: AppGroupContainer?
  let device: Device
  private let answer = Mutex(Answer())

  private struct Answer {
    var footprint: UInt64?
    var isAwaited = false
  }

  /// - Parameters:
  ///   - container: the container whose extension is measured; `nil` for a capture within the app.
  ///   - app: measures this process; tests replace it.
  package init(
    container: AppGroupContainer?, on device: Device = .current,
    app: @escaping @Sendable () -> UInt64? = ownMemory
  ) {
    (self.container, self.device, self.app) = (container, device, app)
  }

  /// The written memory of this process in bytes; `nil` where the system does not count it.
  package static func ownMemory() -> UInt64? {
    do throws(FileError) { return try ProcessMemory.of().anonymous } catch { return nil }
  }

  /// The footprint of the extension in bytes by its last answer, without the emulated system in its process. Asks for the
  /// next answer, and does not wait for it.
  var `extension`: UInt64? {
    guard let container else { return nil }
    let (last, asks) = answer.withLock { answer in
      defer { answer.isAwaited = true }
      return (answer.footprint, !answer.isAwaited)
    }
    if asks {
      DispatchQueue.global().async { [self] in
        let footprint = Self.footprint(in: container)
        answer.withLock { $0 = Answer(footprint: footprint) }
      }
    }
    return last
  }

  private static func footprint(in container: AppGroupContainer) -> UInt64? {
    do throws(FileError) {
      let answer = try LineService.ask(
        AppGroupContainer.memoryQuestion, folder: container.broadcastFolder,
        name: AppGroupContainer.controlSocketName)
      return if case .line(let text) = answer { UInt64(text) } else { nil }
    } catch {
      // The watch reports a container that cannot be read, and a process that is stopped.
      return nil
    }
  }
}
