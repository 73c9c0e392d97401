interface PrintedImage {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
  readonly black: number;
}

export interface ReadPrint {
  /** Printed text, decoded as code page 858 (only the Latin 1 part). */
  readonly text: string;
  readonly images: PrintedImage[];
  readonly pulses: number;
  readonly cuts: number;
}

const ESC = 0x1b;
const GS = 0x1d;
/** Start of the command that switches two-byte characters off. The command has no argument. */
const FS = 0x1c;
const CP858: Readonly<Record<number, string>> = {
  164: "ñ",
  161: "í",
  160: "á",
  196: "─",
  205: "═",
};

/** Number of argument bytes of each command whose length is fixed. */
const ESC_ARGUMENTS: Readonly<Record<string, number>> = {
  "@": 0,
  t: 1,
  a: 1,
  E: 1,
  "!": 1,
  "3": 1,
  "2": 0,
  M: 1,
  p: 3,
  "-": 1,
  d: 1,
  G: 1,
  R: 1,
  J: 1,
  " ": 1,
};
const GS_ARGUMENTS: Readonly<Record<string, number>> = {
  "!": 1,
  B: 1,
  L: 2,
  W: 2,
  h: 1,
  w: 1,
  H: 1,
  f: 1,
};

/** @throws Error on an unknown command */
export function readPrint(bytes: readonly number[]): ReadPrint {
  const print = { text: "", images: [] as PrintedImage[], pulses: 0, cuts: 0 };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const command = String.fromCharCode(bytes[at + 1] ?? 0);
    if (byte === ESC) {
      const length = ESC_ARGUMENTS[command];
      if (length === undefined) throw new Error(`ESC ${command} at ${at}`);
      if (command === "p") print.pulses += 1;
      at += 2 + length;
    } else if (byte === GS && command === "V") {
      print.cuts += 1;
      at += (bytes[at + 2] ?? 0) >= 0x41 ? 4 : 3;
    } else if (byte === GS && command === "v") {
      const image = readImage(bytes, at);
      addImage(print.images, image);
      at += 8 + (image.width / 8) * image.height;
    } else if (byte === FS) {
      at += 2;
    } else if (byte === GS) {
      const length = GS_ARGUMENTS[command];
      if (length === undefined) throw new Error(`GS ${command} at ${at}`);
      at += 2 + length;
    } else {
      print.text += CP858[byte] ?? String.fromCharCode(byte);
      at += 1;
    }
  }
  return print;
}

/** Maximum number of rows in a strip: a higher picture is printed in several strips. */
const STRIP_ROWS = 255;

function addImage(images: PrintedImage[], image: PrintedImage): void {
  const above = images.at(-1);
  if (!above || above.height % STRIP_ROWS !== 0) {
    images.push(image);
    return;
  }
  const rgba = new Uint8ClampedArray([...above.rgba, ...image.rgba]);
  const { width } = image;
  const height = above.height + image.height;
  images[images.length - 1] = { width, height, rgba, black: above.black + image.black };
}

/** Reads GS v 0 m xL xH yL yH and the dots, eight dots per byte. */
function readImage(bytes: readonly number[], at: number): PrintedImage {
  const [xLow = 0, xHigh = 0, yLow = 0, yHigh = 0] = bytes.slice(at + 4, at + 8);
  const rowBytes = xLow + 256 * xHigh;
  const width = rowBytes * 8;
  const height = yLow + 256 * yHigh;
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  let black = 0;
  for (let dot = 0; dot < width * height; dot++) {
    const byte = bytes[at + 8 + Math.floor(dot / 8)] ?? 0;
    if ((byte & (0x80 >> (dot % 8))) !== 0) {
      rgba.fill(0, dot * 4, dot * 4 + 3);
      black += 1;
    }
  }
  return { width, height, rgba, black };
}
