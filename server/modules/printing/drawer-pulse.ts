const ESC = 0x1b;
const GS = 0x1d;
const DLE = 0x10;
const DC4 = 0x14;
const p = 0x70;
const v = 0x76;
const ZERO = 0x30;
/** GS v 0 m xL xH yL yH, before the dots. */
const PICTURE_HEAD = 8;

/**
 * Whether bytes for a receipt printer (ESC/POS) open the drawer that is plugged into it: `ESC p`, or
 * `DLE DC4 1`, which acts at once. The dots of a picture may be any bytes, so they are passed over as
 * a printer does. Of commands with dots in another form nothing is passed over: what looks like a
 * pulse in there counts as one, and nothing that is one goes unseen.
 */
export function opensDrawer(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const [first, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    if (first === ESC && second === p) return true;
    if (first === DLE && second === DC4 && third === 1) return true;
    at += first === GS && second === v && third === ZERO ? pictureLength(bytes, at) : 1;
  }
  return false;
}

/** How long a picture is, with its head; a printer prints the beginning of one that breaks off. */
function pictureLength(bytes: Uint8Array, at: number): number {
  const [xLow = 0, xHigh = 0, yLow = 0, yHigh = 0] = bytes.subarray(at + 4, at + PICTURE_HEAD);
  return PICTURE_HEAD + (xLow + 256 * xHigh) * (yLow + 256 * yHigh);
}
