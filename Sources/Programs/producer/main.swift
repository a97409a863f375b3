import BroadcastExtension
import ScreenBroadcast

// The main function of any extension, with the article's handler.
BroadcastExtensionMain.run(SampleHandler(), program: "producer")
