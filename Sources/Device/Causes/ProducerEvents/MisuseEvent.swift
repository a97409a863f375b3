/// The handler has misused a sample in this way for the first time.
package struct MisuseEvent: FactBody {
  package static let event = "misuse"
  /// The kind of misuse (Docs/CommandLine.md#misuse-of-samples).
  package var kind: String
  /// The misuse as a sentence, with the fix.
  package var description: String
  /// With `kept`: how many of the seven buffers the handler holds.
  package var buffersHeld: Int?
  /// With `kept`: the age of the oldest frame in them.
  package var heldSeconds: Double?

  package init(kind: String, description: String, buffersHeld: Int?, heldSeconds: Double?) {
    self.kind = kind
    self.description = description
    self.buffersHeld = buffersHeld
    self.heldSeconds = heldSeconds
  }
}
