import CommandLineSupport

/// What an extension's program tells `broadcast check` of its handler.
package struct HandlerEvent: JSONEvent, Codable, Equatable {
  package static let event = "handler"
  /// Grows when a program and a tool of another revision do not understand each other.
  package static let version = 1

  package var version = Self.version
  /// The principal class, with its module.
  package var name: String
  /// Whether it is the handler of the article or a subclass, whose app is the consumer.
  package var isArticles: Bool

  package init(name: String, isArticles: Bool) { (self.name, self.isArticles) = (name, isArticles) }
}
