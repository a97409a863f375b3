/// A format of frames or sound between an extension and its app, as this program or others write it.
package protocol KnownFormat: SendableMetatype {
  /// One word for it, as in the JSON event `inspected`.
  static var name: String { get }
  /// What it is, to follow its name.
  static var summary: String { get }
  /// What bytes from outside hold of it; `nil` when they are of another format. Bytes of this format that are wrong
  /// give an inspection with problems. Trusts nothing and never traps.
  static func inspect(_ bytes: FileBytes) -> Inspection?
}

/// The formats there are, in the order in which bytes are held against them: what is known by a magic first.
package let knownFormats: [any KnownFormat.Type] = [
  RingFormat.self, AudioRingFileFormat.self, HTTPStreamFormat.self, DescribedAudioFormat.self,
  LengthPrefixedFormat.self, ArticleFormat.self, TimedMappingFormat.self, CompanionFormat.self,
  AudioFormat.self,
]
