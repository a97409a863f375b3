// Empty. Swift Testing expects a module of this name beside every module named CoreImage: its overlay on Apple's platforms.
