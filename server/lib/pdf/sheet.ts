import PDFDocument from "pdfkit";
import type { Face, Typeface, Weight } from "./typeface.ts";
import { arrange, type Direction, type Piece, REPLACEMENT, showable } from "./visual-text.ts";

export interface About {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly madeAt: Date;
}

export interface TextStyle {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
  /** Alignment within the box. "right", for numbers, is the same in both writing directions. */
  readonly align?: "start" | "end" | "right";
}

/** A4 page in points, with the margin on all sides. */
export const PAGE = { width: 595.28, height: 841.89, margin: 42 } as const;
export const INNER_WIDTH = PAGE.width - 2 * PAGE.margin;
const INK = "#111827";

/**
 * A4 pages of a document. Horizontal positions are distances from the side where lines start, so
 * that the same calls work for both writing directions.
 */
export class Sheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #typeface: Typeface;
  readonly #direction: Direction;
  readonly #widths = new Map<string, number>();
  #hasReplaced = false;

  constructor(typeface: Typeface, direction: Direction, about: About) {
    this.#typeface = typeface;
    this.#direction = direction;
    const { title, author, language, madeAt } = about;
    const options = {
      size: "A4",
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      lang: language,
      displayTitle: true,
      // Prevents the library from loading its default font.
      font: null,
      info: { Title: title, Author: author, Creator: "Tillgate", CreationDate: madeAt },
    };
    this.#doc = new PDFDocument(options as object);
    for (const face of [...typeface.regular, ...typeface.bold]) {
      // The library accepts an opened font, although its types do not declare this.
      this.#doc.registerFont(face.name, face.font as unknown as string);
    }
  }

  /** True if a character was replaced because no font contains it. */
  get hasReplaced(): boolean {
    return this.#hasReplaced;
  }

  addPage(): void {
    this.#doc.addPage();
  }

  onEachPage(work: (number: number, count: number) => void): void {
    const { start, count } = this.#doc.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.#doc.switchToPage(start + index);
      work(index + 1, count);
    }
  }

  widthOf(text: string, { size, weight = "regular" }: TextStyle): number {
    const pieces = this.#piecesOf(text, weight);
    return pieces.reduce((sum, piece) => sum + this.#measure(piece.face, piece.text, size), 0);
  }

  /**
   * Writes one line.
   * @param at `from`: distance from the side where lines start; `y`: distance of the baseline from
   * the top
   */
  write(text: string, at: { from: number; y: number; width: number }, style: TextStyle): void {
    const { size, weight = "regular", color = INK, align = "start" } = style;
    const pieces = this.#piecesOf(text, weight);
    const widths = pieces.map((piece) => this.#measure(piece.face, piece.text, size));
    const width = widths.reduce((sum, one) => sum + one, 0);
    const left = this.#left(at.from, at.width);
    const isAtLeft = align !== "right" && (align === "start") === (this.#direction === "ltr");
    let x = isAtLeft ? left : left + at.width - width;
    this.#doc.fillColor(color).fontSize(size);
    for (const [index, piece] of pieces.entries()) {
      this.#doc.font(piece.face.name);
      // With `features`, the font lays out the text as a whole instead of word by word.
      const whole = { lineBreak: false, baseline: "alphabetic" as const, features: [] };
      this.#doc.text(piece.text, x, at.y, whole);
      x += widths[index] ?? 0;
    }
  }

  /** Wraps a text between words, and inside a word that is too long for a line. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (this.widthOf(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      const parts = this.#cut(word, width, style);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) ?? "";
    }
    return line === "" && lines.length > 0 ? lines : [...lines, line];
  }

  fill(at: { from: number; y: number; width: number; height: number }, color: string): void {
    this.#doc.rect(this.#left(at.from, at.width), at.y, at.width, at.height).fill(color);
  }

  /**
   * Draws a picture as large as fits into a box, on the side where lines start.
   * @throws if the picture cannot be read
   */
  picture(
    content: Uint8Array,
    at: { from: number; y: number; width: number; height: number },
  ): void {
    const { width, height } = at;
    const align = this.#direction === "rtl" ? "right" : undefined;
    this.#doc.image(Buffer.from(content), this.#left(at.from, width), at.y, {
      fit: [width, height],
      ...(align && { align }),
    });
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    this.#doc.end();
    for await (const part of this.#doc) yield part as Uint8Array;
  }

  #piecesOf(text: string, weight: Weight): Piece[] {
    const faces = this.#typeface[weight];
    const shown = showable(text, faces);
    this.#hasReplaced ||= shown.includes(REPLACEMENT);
    return arrange(shown, this.#direction, faces);
  }

  #left(from: number, width: number): number {
    return this.#direction === "ltr" ? PAGE.margin + from : PAGE.width - PAGE.margin - from - width;
  }

  #cut(word: string, width: number, style: TextStyle): string[] {
    const parts = [""];
    for (const char of word) {
      const longer = `${parts.at(-1)}${char}`;
      if (this.widthOf(longer, style) > width && parts.at(-1) !== "") parts.push(char);
      else parts[parts.length - 1] = longer;
    }
    return parts;
  }

  #measure(face: Face, text: string, size: number): number {
    const key = `${face.name} ${text}`;
    let units = this.#widths.get(key);
    if (units === undefined) {
      units = face.font.layout(text).advanceWidth / face.font.unitsPerEm;
      this.#widths.set(key, units);
    }
    return units * size;
  }
}
