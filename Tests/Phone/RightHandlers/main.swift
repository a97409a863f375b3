import BroadcastExtension
import Foundation

// An extension with correct handlers in the forms that teams write. An Info.plist chooses the handler, and $PLANTED_FAULT a
// fault for it. The program runs as their app if its file is named RightApp.
if CommandLine.arguments.first?.hasSuffix("/RightApp") == true { RightApp.run() }
BroadcastExtensionMain.run([
  PrincipalClass(JPEGSocketHandler()), PrincipalClass(TCPHandler()), PrincipalClass(MovieHandler()),
  PrincipalClass(HEVCHandler()), PrincipalClass(PictureFileHandler()), PrincipalClass(PoolHandler()),
  PrincipalClass(TimerHandler()), PrincipalClass(CombineHandler()), PrincipalClass(MainQueueHandler()),
])
