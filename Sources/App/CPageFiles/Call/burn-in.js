// Reads what `BurnIn` writes with `GlyphFont`.
const [glyphHeight, glyphWidth, advance] = [7, 5, 6];
const colon = 10;

// The digits and the colon, two hexadecimal digits a row.
const font = [
  "0e1b1b1b1b1b0e", "060e1e0606061f", "1e03030e18181f", "1e03030e03031e", "1b1b1b1f030303", "1f18181e03031e",
  "0e18181e1b1b0e", "1f030306060c0c", "0e1b1b0e1b1b0e", "0e1b1b0f03030e", "00060600060600",
].map((rows) => rows.match(/../g).map((row) => parseInt(row, 16)));

// `null` if the time code does not fit.
function textLines(width, height) {
  const part = (value, divisor) => Math.trunc(value / divisor);
  const even = (value) => value & ~1;
  const cellOf = (count, share) =>
    Math.max(1, Math.min(part(part(width * 3, 5), count * advance), part(part(height, share), glyphHeight)));
  const count = Math.min(8, part(width - 1, advance));
  const line = (count, cell) => ({ count, cell, width: (count * advance - 1) * cell, height: glyphHeight * cell });
  const [number, timeCode] = [line(count, cellOf(count, 7)), line(11, cellOf(11, 10))];
  const padding = Math.max(1, number.cell * 2);
  if (timeCode.width + 2 * padding > width) return null;
  if (number.height + timeCode.height + 3 * padding > part(height * 2, 3)) return null;
  const contentHeight = number.height + padding + timeCode.height;
  const boxWidth = Math.min(even(width), even(Math.max(number.width, timeCode.width) + 2 * padding + 1));
  const boxHeight = Math.min(even(height), even(contentHeight + 2 * padding + 1));
  const box = {
    x: even(part(width - boxWidth, 2)),
    y: even(part(height - boxHeight, 5)),
    width: boxWidth,
    height: boxHeight
  };
  for (const line of [number, timeCode]) line.x = box.x + part(boxWidth - line.width, 2);
  number.y = box.y + part(boxHeight - contentHeight, 2);
  timeCode.y = number.y + number.height + padding;
  return { number, timeCode, box };
}
export function uprightSize({ width, height, rotation }) {
  return rotation % 180 ? { width: height, height: width } : { width, height };
}
// Where the text can be after the frame was cropped, or got bars, for the call; in the upright picture.
export function layouts(stored, call) {
  const [frame, upright] = [uprightSize({ ...stored, rotation: call.rotation }), uprightSize(call)];
  const text = textLines(frame.width, frame.height);
  if (!text) return [];
  const ratios = [upright.width / frame.width, upright.height / frame.height];
  return [...new Set([Math.max(...ratios), Math.min(1, ...ratios)])].map((scale) => {
    const x = (value) => (value - frame.width / 2) * scale + upright.width / 2;
    const y = (value) => (value - frame.height / 2) * scale + upright.height / 2;
    const place = ({ count, cell, ...line }) => ({ count, cell: cell * scale, x: x(line.x), y: y(line.y) });
    const box = {
      x: Math.floor(x(text.box.x)), y: Math.floor(y(text.box.y)),
      width: Math.ceil(text.box.width * scale), height: Math.ceil(text.box.height * scale),
    };
    const { width, height, rotation } = call;
    return { number: place(text.number), timeCode: place(text.timeCode), box, width, height, rotation };
  });
}
// Addresses a stored image by positions in the upright one.
export function uprightImage({ bytes, start, rowStride, step }, { width, height, rotation }) {
  const [right, bottom] = [start + (width - 1) * step, start + (height - 1) * rowStride];
  switch (rotation) {
    case 90: return { bytes, start: bottom, rowStride: step, step: -rowStride };
    case 180: return { bytes, start: bottom + right - start, rowStride: -rowStride, step: -step };
    case 270: return { bytes, start: right, rowStride: -step, step: rowStride };
    default: return { bytes, start, rowStride, step };
  }
}
// `null` if the time code does not agree. The pixel at x, y is the byte at `start + y * rowStride + x * step`.
export function readNumber(image, layout) {
  const lines = [layout.number, layout.timeCode].map((line) => cells(image, line));
  const levels = lines.flat(2);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  // Without contrast there is no text.
  if (!(high - low > 60)) return null;
  const [number, timeCode] = lines.map((line) => line.map((glyph) => nearest(glyph, (low + high) / 2)));
  if (number.includes(null) || number.includes(colon) || timeCode.includes(null)) return null;
  if (timeCode.some((code, index) => (code === colon) !== (index % 3 === 2))) return null;
  const value = Number(number.join(""));
  const [hours, minutes, seconds, frames] = [0, 3, 6, 9].map((at) => timeCode[at] * 10 + timeCode[at + 1]);
  const whole = (hours * 60 + minutes) * 60 + seconds;
  for (let rate = 1; rate <= 1000; rate++) {
    if (Math.floor(value / rate) === whole && (value % rate) % 100 === frames) return value;
  }
  return null;
}
function cells({ bytes, start, rowStride, step }, { x, y, cell, count }) {
  // A large cell is the mean of nine pixels within it.
  const spread = cell >= 5 ? [-Math.round(cell / 5), 0, Math.round(cell / 5)] : [0];
  const level = (left, top) => {
    let sum = 0;
    for (const down of spread) {
      for (const right of spread)
        sum += bytes[start + (Math.floor(top) + down) * rowStride + (Math.floor(left) + right) * step];
    }
    return sum / spread.length ** 2;
  };
  return Array.from({ length: count }, (_, index) => Array.from({ length: glyphHeight * glyphWidth }, (_, at) =>
      level(x + (index * advance + (at % glyphWidth) + 0.5) * cell, y + (Math.floor(at / glyphWidth) + 0.5) * cell)));
}
// `null` if two glyphs match equally, or more than four cells differ.
function nearest(levels, threshold) {
  const differences = font.map((rows) => {
    const isInk = (at) => !!(rows[Math.floor(at / glyphWidth)] & (0b10000 >> at % glyphWidth));
    return levels.filter((level, at) => level > threshold !== isInk(at)).length;
  });
  const least = Math.min(...differences);
  const code = differences.indexOf(least);
  return least <= 4 && code === differences.lastIndexOf(least) ? code : null;
}
