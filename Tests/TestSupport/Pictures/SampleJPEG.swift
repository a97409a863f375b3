import Foundation

/// A baseline JPEG of 38 × 22 pixels, 4:2:0, and its samples as another decoder has them.
///
/// Made by `ffmpeg -f lavfi -i testsrc=size=38x22:rate=1 -frames:v 1 -pix_fmt yuvj420p -q:v 3`, and read back as
/// `rawvideo`.
package enum SampleJPEG {
  /// In pixels.
  package static let width = 38
  /// In pixels.
  package static let height = 22

  /// The file.
  package static let file = decoded(
    """
    /9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgGBgcGBwgICAgICAkJCQoKCgkJCQkKCgoKCgoMDAwK
    CgoKCgoKDAwMDA0ODQ0NDA0ODg8PDxISEREVFRUZGR//xACFAAEBAQEBAAAAAAAAAAAAAAAGBQcECAEBAQEBAAAAAAAAAAAAAAAA
    BgUDBxAAAQMCBAMFBgcBAQAAAAAAAQIEAxEABgUhEge0InU2dDETM7NRQRQ0sVSTF4TUgzUjEQACAQMDAwQDAQEAAAAAAAACAQME
    EQUGACExExJRQSJxYYEyFAf/wAARCAAWACYDASIAAhEAAxEA/9oADAMBAAIRAxEAPwDLeHGVnN88LepTGGskkqk7dyY0yReW4+al
    FKRoabq0IF6Fi5CY15ihCQhKWu1KUgBKUhqkAADQADQAWS4N94XfZc3NNbX4x9rmfhzyotVouGKOcpVbuSWRE2r2AwQivwuX9ve2
    k8tWVGra7HyyWpKLTNaUMXQe7UVVIUshX6mSER9EIKy63TcEe7TztablGlyM+dSsomriI0XE7jUNTQ0RJVKtpBKVDpUKioJF1+CP
    dp52tNyjS4OKfsY/EJ93JfJdUsx/6JqEw8k1kQYkr8NBw09zoIIqrUujIJgGWKWerjljJIhOM44xICXRok2mnvaMHPUZjh9g6RoJ
    USEp16VCaQLRUhNdqgU1oAaVF3bJcM+6GV/y+entba4JSnAZT/qQUZcW+RK74+3ulV46HFVM9BTCago5ZKaFFci7UBOMLl7vxFXf
    vvydgniPmrR16P0zFcSIio9E4WQFoSQFeuUioJ12mh+VusT4hdtJnhQiA/TxGRG5K9T6IX1UkGlfhTS8Uwr99L4dXvI71XGPtcz8
    OeVF0dG6VweQytY6nHwTMApyFl5cMid3wS623Zgx9JqKaheUhGt72Iz80ndvYpaSqxQwSNC0vKMZ5Un6Fz7bS4HSMeZC4nzH/wAV
    RvpG4DPoTsTBAsE+t653VkPzpSmlkp8LNGMrZUE0+9y8ihJlMa0pEteoJSiMmlPLda7gj3aedrTco0udmPtcr7Ua/iqyuX1VnMTr
    jLYmiyE9PQRZAIY6WNj2wjsvgri3b97DxwRYLLacWOAaVVH+4pkCupCihEgZIvJPxLna/L+F2SZkzicSucySte+oRK2Celak6BTV
    R8h8b6f2fw/+azX9Zr/Utbh//lt/9PfLunaGsbkqZyLluU+fomt3cRq/UE2NoZJMlUGclJTmZNjciKIWRP49W3ff/9k=
    """)

  /// Luma, then Cb, then Cr, without padding.
  package static let samples = decoded(
    """
    AAAAAABNSk1Qr21ma2dtHhweHOLj4uHimJmWl5RTrLCytv/+/P8AAAYCBU5KUaq5ZWdpaWocHB4c4uPi4eKVl5mXlUpQtLe1/P//
    +QEFAAgAT0lRtrBra2NoZhwcHhzi4+Lh4pWZl5SRT0mwr7D/+f//AAQAAABHWa6vsm1oZ29kGxweHOLj4uHimZaXk5hOS1Ksr/37
    /f8EAAcCA0ivsLO0ZmltbGMgHB4c4uPi4eKUk5+PlUVNUU+0////+QAEAAAAT7Kuq7BmbGdjZSIcHhzi4+Lh4pWVkpOZTEpQTK3/
    /P//AAAIBQCut7O1t2pnY2lpHxweHOLj4uHimp6WnJNKTExKVff//PwACAAAArSxtLC0a2hpbWQhHB4c4uPi4eKYkJeUl1JJT09O
    /f3/+wAAAAAAtLOysrNpaWtnaB4cHhzi4+Lh4paVlZaVTU1LTUz+//3/AAAAAAC0s7Kys2lpa2doHhweHOLj4uHilpWVlpVNTUtN
    TP7//f8AAAAAALSzsrKzaWlrZ2geHB4c4uPi4eKWlZWWlU1NS01M/v/9/wAAAAAAtLOysrNpaWtnaB4cHhzi4+Lh4paVlZaVTU1L
    TUz+//3/AAAAAAC0s7Kys2lpa2doHhweHOLj4uHilpWVlpVNTUtNTP7//f8AAAAAALSzsrKzaWlrZ2geHB4c4uPi4eKWlZWWlU1N
    S01M/v/9/wAAAAAAtLOysrNpaWtnaB4cHhzi4+Lh4paVlZaVTU1LTUz+//3/AAAAAAC0s7Kys2lpa2doHhweHOLj4uHilpWVlpVN
    TUtNTP7//f9LY4CTpMLa2cvFtrGdmJ6joa6qsqOJb1lCMCYwOUVRW2hoX1xZT0xjdpWjw93Y0cK1r56bmZ+kpK21p4hwXkMrJDM8
    RVNha2VgWllVSWt3k6fL0ODIyLOtmpeemauuo7qejnlYQi0mMDtCUFxoXmhbVFEAAQACCENYprStaWdramclHB0n2+Pd3uSVk5WY
    ildCU7K9+P///wMABQAAUUxVtrZoZmxraxsdHhzl5OLh4peUk5qRTFWssrj9////BAAABgBHSU+0rmlma2xlHiAcJeDj4N/ilJaT
    mppHS7O2tf3///99hWxSl9TP8P6HAQEuKUyQrH5+e4BlfanT1Oz6gQAALis/aaOFgnp8bqWv0tTn/4UAAC4yPlR/gIB/gI6zqNfS
    6v+DAQAqMEFSX32Af4Cdq6TW0Or+fwIDKi5AVFmFg35/l6at09Tp/4AAASosP1dSgYKDgJSpstPW7Px/AAAqLD9ZUXp/f3mPoqHJ
    yOT0hAwOOThGYGGAgU00GQsUJS5Od6G20+756dvDl4BmW0A2Wnd6l7iOX3CPlpapupB+gIVsZ6/d3PX9fwMAHiQ7cq6GfYCEu/8/
    6+ulbH+WkRYdhT4Cfn2Cfr+nBOrqsmqBmJUYD5LDC32Ceoe1BwTj8qlnfpGSHBGK/YCEgn6DSgEA8eGza4GWlhQTiP/1h31/fTsA
    BOfxp2p9lJ0SE47//4OAf4U/AQDv5q9of5GYFheN+P19f4F7RAIC7O2tboaZkRMXjPv/fnyKgkYKD9bin2x2kY4ZHI3//I2J8dOn
    iWhGHxULBBU/WH2b0fT187yxwZU3kYZeNUBVZDRLn9J7ur19fMHoCff0snCGm5QXEoKQA3l8
    """)

  private static func decoded(_ text: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }
}
