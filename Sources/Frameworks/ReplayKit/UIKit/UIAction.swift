/// What an action does; it gets the action itself.
public typealias UIActionHandler = @MainActor (UIAction) -> Void

/// Something a control does.
@MainActor
public final class UIAction: NSObject {
  /// Its title, where one would be seen.
  public let title: String
  private let handler: UIActionHandler

  /// An action that calls `handler`.
  public init(title: String = "", handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
    super.init()
  }

  func run() { handler(self) }
}
