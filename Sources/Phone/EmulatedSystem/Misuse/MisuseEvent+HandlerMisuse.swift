import Causes
import Platform

extension MisuseEvent {
  init(_ misuse: HandlerMisuse, held: HeldBuffers?, name: String?) {
    self.init(
      kind: misuse.rawValue, description: misuse.text(nil, name), buffersHeld: held?.count,
      heldSeconds: held.map { $0.longest / .seconds(1) })
  }
}
