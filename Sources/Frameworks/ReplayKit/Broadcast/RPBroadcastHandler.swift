/// What the handlers of a broadcast have in common.
open class RPBroadcastHandler: NSObject {}
