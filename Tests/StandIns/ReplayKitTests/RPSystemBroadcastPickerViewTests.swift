import ReplayKit
import Testing

@MainActor @Suite struct RPSystemBroadcastPickerViewTests {
  @Test func theButtonIsASubviewOfTheSizeOfThePicker() throws {
    let picker = RPSystemBroadcastPickerView(frame: CGRect(x: 1, y: 2, width: 44, height: 40))
    let button = try #require(picker.subviews.compactMap { $0 as? UIButton }.first)
    #expect(button.frame == CGRect(x: 0, y: 0, width: 44, height: 40))
    button.sendActions(for: .touchUpInside)
  }

  // Public apps tap the button with these events.
  @Test(arguments: [UIControl.Event.allEvents, .allTouchEvents])
  func allEventsAreATapToo(events: UIControl.Event) {
    let control = UIControl()
    var runs = 0
    control.addAction(UIAction { _ in runs += 1 }, for: .touchUpInside)
    control.sendActions(for: events)
    control.sendActions(for: .allEditingEvents)
    #expect(runs == 1)
  }

  @Test func aViewHasOneSuperview() {
    let (first, second, child) = (UIView(), UIView(), UIView())
    first.addSubview(child)
    second.addSubview(child)
    #expect(first.subviews.isEmpty && second.subviews == [child] && child.superview === second)
    child.removeFromSuperview()
    #expect(second.subviews.isEmpty && child.superview == nil)
  }

  @Test func aControlRunsTheActionsOfItsEvents() {
    let control = UIControl()
    var ran: [String] = []
    control.addAction(UIAction(title: "a") { ran.append($0.title) }, for: [.touchDown, .touchUpInside])
    control.addAction(UIAction(title: "b") { ran.append($0.title) }, for: .touchUpOutside)
    control.sendActions(for: .touchUpInside)
    control.sendActions(for: .touchUpOutside)
    #expect(ran == ["a", "b"])
  }
}
