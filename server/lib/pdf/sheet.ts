import PDFDocument from "pdfkit";
import type { Face, Typeface, Weight } from "./typeface.ts";
import { arrange, type Direction, type Piece, REPLACEMENT, showable } from "./visual-text.ts";

/** What a document says of itself to programs. */
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
  /** Where in its place it stands; on the right in every language, where numbers do. */
  readonly align?: "start" | "end" | "right";
}

/** A4 in points, and what stays empty around everything. */
export const PAGE = { width: 595.28, height: 841.89, margin: 42 } as const;
export const INNER_WIDTH = PAGE.width - 2 * PAGE.margin;
const INK = "#111827";

/**
 * Pages of A4 on which everything is placed from the side where reading begins: the same calls make a
 * document that runs from left to right, and one that runs from right to left.
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
      // Only the fonts given: the library would look for its own beside its code.
      font: null,
      info: { Title: title, Author: author, Creator: "Tillgate", CreationDate: madeAt },
    };
    this.#doc = new PDFDocument(options as object);
    for (const face of [...typeface.regular, ...typeface.bold]) {
      // It takes an opened font too, which its types do not say.
      this.#doc.registerFont(face.name, face.font as unknown as string);
    }
  }

  /** Whether anything was replaced that no font has. */
  get hasReplaced(): boolean {
    return this.#hasReplaced;
  }

  addPage(): void {
    this.#doc.addPage();
  }

  /** Calls the work for every page that was made, in their order. */
  onEachPage(work: (number: number, count: number) => void): void {
    const { start, count } = this.#doc.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.#doc.switchToPage(start + index);
      work(index + 1, count);
    }
  }

  /** How wide a line is. */
  widthOf(text: string, { size, weight = "regular" }: TextStyle): number {
    const pieces = this.#piecesOf(text, weight);
    return pieces.reduce((sum, piece) => sum + this.#measure(piece.face, piece.text, size), 0);
  }

  /**
   * Writes one line.
   * @param at its place: how far from the side where reading begins, from the top to the line that
   *   letters stand on, and how wide
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
      // With features named the font lays the piece out as a whole, not word by word.
      const whole = { lineBreak: false, baseline: "alphabetic" as const, features: [] };
      this.#doc.text(piece.text, x, at.y, whole);
      x += widths[index] ?? 0;
    }
  }

  /** The lines that a text takes: parted between words, and within one that is too long by itself. */
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

  /** Fills a box. */
  fill(at: { from: number; y: number; width: number; height: number }, color: string): void {
    this.#doc.rect(this.#left(at.from, at.width), at.y, at.width, at.height).fill(color);
  }

  /**
   * Puts a picture into a box, as large as it fits, at the side where reading begins.
   * @throws where the picture cannot be read
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

  /** The file, a part at a time; nothing can be added any more. */
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
