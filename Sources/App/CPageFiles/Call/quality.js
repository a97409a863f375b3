// How much a picture of the far end differs from the one that was sent: the brightness of windows of 8x8 samples, by the
// definitions of WebRTC's frame analyzer. Few windows are sent beside the call, at other places for each frame.
const [side, across] = [8, 10];

// The samples of the windows of a frame. `level` returns the brightness at x, y, from 0 to 255.
export function takeWindows(level, width, height, number) {
  const samples = new Uint8Array(side * side * across * across);
  // Fractions that spread the places of successive frames evenly.
  const [right, down] = [(number * 0.7548776662) % 1, (number * 0.5698402910) % 1];
  let at = 0;
  for (let row = 0; row < across; row++) {
    for (let column = 0; column < across; column++) {
      const left = Math.floor(((column + right) / across) * (width - side));
      const top = Math.floor(((row + down) / across) * (height - side));
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) samples[at++] = Math.round(level(x, y));
      }
    }
  }
  return samples;
}
export function encodeWindows(samples) { return btoa(String.fromCharCode(...samples)); }
export function decodeWindows(text) { return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)); }
// PSNR in dB, at most 48, and SSIM of two pictures in the same windows.
export function compareWindows(sent, received) {
  let [error, similarity] = [0, 0];
  const count = side * side;
  for (let start = 0; start < sent.length; start += count) {
    let [a, b, squares, products] = [0, 0, 0, 0];
    for (let at = start; at < start + count; at++) {
      a += sent[at];
      b += received[at];
      squares += sent[at] ** 2 + received[at] ** 2;
      products += sent[at] * received[at];
    }
    error += squares - 2 * products;
    similarity += ((2 * a * b + 26634) * (2 * count * products - 2 * a * b + 239708)) /
      ((a * a + b * b + 26634) * (count * squares - a * a - b * b + 239708));
  }
  const psnr = error === 0 ? 48 : Math.min(48, 10 * Math.log10((255 * 255 * sent.length) / error));
  return { psnr, ssim: similarity / (sent.length / count) };
}
