import CommandLineSupport

/// The description of the handler that an extension's program prints for `broadcast check`.
package struct HandlerEvent: JSONEvent, Codable, Equatable {
  package static let event = "handler"
  /// Incremented when a program and a tool of different revisions no longer understand each other.
  package static let version = 1

  package var version = Self.version
  /// The principal class, with its module.
  package var name: String
  /// Whether the handler is the article's, or a subclass, so that its app is the consumer.
  package var isArticles: Bool

  package init(name: String, isArticles: Bool) {
    self.name = name
    self.isArticles = isArticles
  }
}
