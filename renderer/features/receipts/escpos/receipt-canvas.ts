import { faceOf } from "../../../../server/contract/faces/face.ts";
import type { Direction } from "../../../lib/direction.ts";
import { DOTS_PER_MM, QUIET_ZONE, qrMatrix } from "../../../lib/qr-matrix.ts";
import {
  type BlockSize,
  FACE_MM,
  type FaceBlock,
  type PairBlock,
  type ReceiptBlock,
  type TextBlock,
} from "../blocks/receipt-block.ts";
import { barsOf } from "../blocks/scan-code.ts";

/** Minimum width of a line, because a thermal head prints thinner lines unevenly. */
const LINE_DOTS = 2;

const FACE_DOTS = {
  width: FACE_MM.width * DOTS_PER_MM,
  height: FACE_MM.height * DOTS_PER_MM,
} as const;

const FONT_DOTS: Readonly<Record<BlockSize, number>> = {
  small: 20,
  body: 24,
  large: 28,
  number: 40,
  total: 38,
  shop: 44,
};
const FAMILY = '"Plex", "Plex Arabic", "Noto Sans Arabic", "Noto Sans", Arial, sans-serif';
const LINE_HEIGHT = 1.35;

const EDGE_DOTS = { width: 8, height: 24 };

interface Drawing {
  /** Width of the print head in dots, a multiple of eight. */
  readonly width: number;
  readonly direction: Direction;
}

/**
 * Draws a block that the printer's fonts cannot print, in black and white. Its height is a multiple
 * of eight, as printers require.
 */
export function drawBlock(block: ReceiptBlock, drawing: Drawing): ImageData | undefined {
  switch (block.kind) {
    case "text":
      return drawText(block, drawing);
    case "pair":
      return drawPair(block, drawing);
    case "banner":
      return drawText(
        { kind: "text", text: block.text, size: "large", bold: true, center: true },
        drawing,
      );
    case "secret":
      return drawText(
        { kind: "text", text: block.value, size: "number", bold: true, center: true, code: true },
        drawing,
      );
    case "face":
      return drawOn(drawing.width, FACE_DOTS.height, (context) => {
        const isLeft = drawing.direction === "ltr";
        const left = isLeft ? 0 : drawing.width - FACE_DOTS.width;
        drawFace(context, block, { left, family: FAMILY });
      });
    case "edges":
      return drawOn(drawing.width, EDGE_DOTS.height, (context) => {
        context.fillRect(0, 0, EDGE_DOTS.width, EDGE_DOTS.height);
        context.fillRect(drawing.width - EDGE_DOTS.width, 0, EDGE_DOTS.width, EDGE_DOTS.height);
        context.fillRect(0, EDGE_DOTS.height / 2 - 1, drawing.width, 2);
      });
    case "qr":
      return drawQr(block.content, drawing.width);
    case "barcode":
      return drawBarcode(block.content, drawing.width);
    default:
      return undefined;
  }
}

function drawText(block: TextBlock, { width, direction }: Drawing): ImageData {
  const { text, size = "body", bold = false, center = false, code = false } = block;
  const canvas = new Sheet(width, FONT_DOTS[size], bold, direction);
  const lines = canvas.wrap(text, width);
  return canvas.draw(lines, (context, row) => {
    context.direction = code ? "ltr" : direction;
    context.textAlign = center ? "center" : alignOf("start", direction);
    context.fillText(lines[row] ?? "", center ? width / 2 : edge("start", direction, width), 0);
  });
}

/** A pair that is too long is drawn on two lines. */
function drawPair(block: PairBlock, { width, direction }: Drawing): ImageData {
  const { label, value, size = "body", bold = false, code = false } = block;
  const canvas = new Sheet(width, FONT_DOTS[size], bold, direction);
  const values = canvas.wrap(value, width);
  const gap = FONT_DOTS[size];
  const room = width - canvas.measure(value) - gap;
  const isBeside = values.length === 1 && room > width / 3;
  const labels = canvas.wrap(label, isBeside ? room : width);
  const count = isBeside ? labels.length : labels.length + values.length;
  const rows = Array.from({ length: count }, (_, row) => ({
    labelText: labels[row],
    valueText: isBeside ? values[row] : values[row - labels.length],
  }));
  const texts = rows.map(({ labelText = "", valueText = "" }) => `${labelText} ${valueText}`);
  return canvas.draw(texts, (context, row) => {
    const { labelText, valueText } = rows[row] ?? {};
    if (labelText !== undefined) {
      context.direction = direction;
      context.textAlign = alignOf("start", direction);
      context.fillText(labelText, edge("start", direction, width), 0);
    }
    if (valueText !== undefined) {
      context.direction = code ? "ltr" : direction;
      context.textAlign = alignOf("end", direction);
      context.fillText(valueText, edge("end", direction, width), 0);
    }
  });
}

function alignOf(side: "start" | "end", direction: Direction): "left" | "right" {
  return (side === "start") === (direction === "ltr") ? "left" : "right";
}

function edge(side: "start" | "end", direction: Direction, width: number): number {
  return alignOf(side, direction) === "left" ? 0 : width;
}

/** More than 25 mm, so that a phone can read the code from folded paper. */
const QR_DOTS = 26 * DOTS_PER_MM;

function drawQr(content: string, width: number): ImageData {
  const matrix = qrMatrix(content);
  const dot = Math.min(
    Math.ceil(QR_DOTS / matrix.length),
    Math.floor(width / (matrix.length + 2 * QUIET_ZONE)),
  );
  const height = ceilToEight((matrix.length + 2 * QUIET_ZONE) * dot);
  const left = Math.floor((width - matrix.length * dot) / 2);
  return drawOn(width, height, (context) => {
    for (const [y, row] of matrix.entries()) {
      for (const [x, isBlack] of row.entries()) {
        if (isBlack) context.fillRect(left + x * dot, (QUIET_ZONE + y) * dot, dot, dot);
      }
    }
  });
}

const BARCODE_HEIGHT = 10 * DOTS_PER_MM;

function drawBarcode(content: string, width: number): ImageData {
  const bars = barsOf(content, width);
  if (!bars) return drawQr(content, width);
  return drawOn(width, BARCODE_HEIGHT, (context) => {
    const black = bars.widths.reduce((sum, one) => sum + one, 0);
    let x = Math.floor((width - black) / 2);
    for (const [at, bar] of bars.widths.entries()) {
      if (at % 2 === 0) context.fillRect(x, 0, bar, BARCODE_HEIGHT);
      x += bar;
    }
  });
}

const LOGO_HEIGHT = 18 * DOTS_PER_MM;
/** Maximum width of the logo, as a share of the paper's width. */
const LOGO_WIDTH = 0.7;

/** Draws the logo centred, and never enlarges it. */
export function drawLogo(logo: ImageBitmap, width: number): ImageData {
  const scale = Math.min(1, (LOGO_WIDTH * width) / logo.width, LOGO_HEIGHT / logo.height);
  const [wide, high] = [Math.round(logo.width * scale), Math.round(logo.height * scale)];
  return drawOn(width, ceilToEight(high), (context) => {
    context.drawImage(logo, Math.floor((width - wide) / 2), 0, wide, high);
  });
}

function ceilToEight(dots: number): number {
  return Math.ceil(dots / 8) * 8;
}

type Context2d = OffscreenCanvasRenderingContext2D;

function drawOn(width: number, height: number, draw: (context: Context2d) => void): ImageData {
  const context = contextOf(width, height);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#000";
  draw(context);
  return context.getImageData(0, 0, width, height);
}

function contextOf(width: number, height: number): Context2d {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("This browser does not draw.");
  return context;
}

class Sheet {
  readonly #width: number;
  readonly #font: string;
  readonly #lineHeight: number;
  readonly #direction: Direction;
  readonly #ruler: Context2d;

  constructor(width: number, fontDots: number, bold: boolean, direction: Direction) {
    this.#width = width;
    this.#font = `${bold ? 700 : 400} ${fontDots}px ${FAMILY}`;
    this.#lineHeight = Math.ceil(fontDots * LINE_HEIGHT);
    this.#direction = direction;
    this.#ruler = contextOf(8, 8);
    this.#ruler.font = this.#font;
    this.#ruler.textBaseline = "middle";
  }

  measure(text: string): number {
    return this.#ruler.measureText(text).width;
  }

  /** Breaks words that are wider than the paper. */
  wrap(text: string, width: number): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (this.measure(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      line = "";
      for (const letter of word) {
        if (line !== "" && this.measure(line + letter) > width) {
          lines.push(line);
          line = "";
        }
        line += letter;
      }
    }
    return [...lines, line];
  }

  /**
   * Draws rows of text. The picture is higher if marks of the first or the last row reach beyond
   * the line height, as Arabic vowel marks do.
   * @param rows texts of each row
   */
  draw(rows: readonly string[], drawRow: (context: Context2d, row: number) => void): ImageData {
    const above = this.#measureExcess(rows[0], "actualBoundingBoxAscent");
    const below = this.#measureExcess(rows.at(-1), "actualBoundingBoxDescent");
    const height = ceilToEight(above + rows.length * this.#lineHeight + below);
    return drawOn(this.#width, height, (context) => {
      context.font = this.#font;
      context.textBaseline = "middle";
      for (let row = 0; row < rows.length; row++) {
        context.save();
        context.translate(0, above + (row + 0.5) * this.#lineHeight);
        context.direction = this.#direction;
        drawRow(context, row);
        context.restore();
      }
    });
  }

  /** Returns the dots by which a text is higher or deeper than half a line. */
  #measureExcess(text = "", side: "actualBoundingBoxAscent" | "actualBoundingBoxDescent"): number {
    const reach = this.#ruler.measureText(text)[side];
    return Math.max(0, Math.ceil(reach - this.#lineHeight / 2));
  }
}

function drawFace(
  context: OffscreenCanvasRenderingContext2D,
  { brandName, glyph }: FaceBlock,
  { left, family }: { readonly left: number; readonly family: string },
): void {
  const face = faceOf({ brandName, brandColor: "", glyph }, "SMALL", FACE_DOTS);
  const { width, height } = FACE_DOTS;
  context.save();
  context.translate(left, 0);
  context.lineWidth = LINE_DOTS;
  context.beginPath();
  context.roundRect(LINE_DOTS / 2, LINE_DOTS / 2, width - LINE_DOTS, height - LINE_DOTS, 6);
  context.stroke();
  const { name } = face;
  context.font = `700 ${name.size}px ${family}`;
  context.direction = name.isRightToLeft ? "rtl" : "ltr";
  context.textAlign = name.isRightToLeft ? "right" : "left";
  context.textBaseline = "alphabetic";
  for (const { text, x, y } of name.lines) context.fillText(text, x, y);
  const [, x = 0, y = 0, scale = 1] =
    /translate\((\S+) (\S+)\) scale\((\S+)\)/.exec(face.glyph.transform)?.map(Number) ?? [];
  context.translate(x, y);
  context.scale(scale, scale);
  context.lineWidth = Math.max(face.glyph.stroke, LINE_DOTS / scale);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.stroke(new Path2D(face.glyph.path));
  context.restore();
}
