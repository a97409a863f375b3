#pragma once

#if !__has_include(<gst/gst.h>) || !__has_include(<libyuv.h>) || !__has_include(<jpeglib.h>)
#error "--traits Peers needs libraries of the system: apt-get install pkg-config libgstreamer1.0-dev gstreamer1.0-plugins-bad libyuv-dev libjpeg-dev"
#endif
