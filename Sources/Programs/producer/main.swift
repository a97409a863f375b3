import BroadcastExtension
import ScreenBroadcast

// The main of any extension, with the handler of the article.
BroadcastExtensionMain.run(SampleHandler(), program: "producer")
