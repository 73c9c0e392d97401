import { INNER_WIDTH, PAGE, type Sheet, type TextStyle } from "./sheet.ts";

export interface NamedFigure {
  readonly name: string;
  readonly value: string;
}

export interface TableColumn {
  /** Heading of the column. Empty in all columns of a table without headings. */
  readonly head: string;
  /** Fraction of the table's width. The fractions of all columns add up to 1. */
  readonly share: number;
  readonly isNumber?: boolean;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** True for the total of the preceding rows. */
  readonly isSum?: boolean;
}

export type Part =
  | { readonly kind: "FIGURES"; readonly heading: string; readonly figures: readonly NamedFigure[] }
  | {
      readonly kind: "TABLE";
      readonly heading: string;
      readonly columns: readonly TableColumn[];
      readonly rows: readonly TableRow[];
      readonly notes?: readonly string[];
    }
  | { readonly kind: "NOTES"; readonly heading: string; readonly notes: readonly string[] };

export interface PageFrame {
  /** Stamp at the top of each page of a document without real sales. */
  readonly stamp?: string;
  readonly running: string;
  readonly foot: string;
  readonly pageOf: (number: number, count: number) => string;
}

const TEXT: TextStyle = { size: 8.5 };
const SOFT = "#4b5563";
const LINE = "#d1d5db";
const SHADE = "#f3f4f6";
const LINE_HEIGHT = 11.5;
const CELL_GAP = 6;
const ROW_GAP = 5;
const FIGURES_IN_A_ROW = 4;
const FIGURE_HEIGHT = 40;
const STAMP_HEIGHT = 20;
const RUNNING_HEIGHT = 16;
const FOOT_HEIGHT = 24;
const BOTTOM = PAGE.height - PAGE.margin - FOOT_HEIGHT;
const START = { from: 0, width: INNER_WIDTH };

/** Lays out sections one below another, on as many pages as needed. */
export class Layout {
  readonly #sheet: Sheet;
  readonly #frame: PageFrame;
  #y = 0;

  constructor(sheet: Sheet, frame: PageFrame) {
    this.#sheet = sheet;
    this.#frame = frame;
    this.#addPage();
    this.#y = this.#top;
  }

  lines(text: string, style: TextStyle, place: { from: number; width: number } = START): void {
    for (const line of this.#sheet.wrap(text, place.width, style)) {
      this.#room(style.size * 1.4);
      this.#y += style.size * 1.1;
      this.#sheet.write(line, { ...place, y: this.#y }, style);
      this.#y += style.size * 0.3;
    }
  }

  gap(height: number): void {
    this.#y += height;
  }

  /** Current vertical position. Writable, for callers that write two columns. */
  get y(): number {
    return this.#y;
  }
  set y(y: number) {
    this.#y = y;
  }

  part(part: Part): void {
    switch (part.kind) {
      case "FIGURES":
        this.#heading(part.heading, FIGURE_HEIGHT);
        this.#figures(part.figures);
        break;
      case "TABLE":
        // Keeps the heading on the same page as the first rows.
        this.#heading(part.heading, 4 * (LINE_HEIGHT + ROW_GAP));
        this.#table(part.columns, part.rows);
        this.#notes(part.notes ?? []);
        break;
      case "NOTES":
        this.#heading(part.heading, 2 * LINE_HEIGHT);
        this.#notes(part.notes);
        break;
    }
  }

  /** Writes headers and footers. Call it last. */
  finish(): void {
    const { running, foot, pageOf, stamp } = this.#frame;
    const small = { size: 7.5, color: SOFT };
    this.#sheet.onEachPage((number, count) => {
      if (stamp !== undefined) this.#stamp(stamp);
      if (number > 1) this.#sheet.write(running, { ...START, y: this.#top + 4 }, small);
      const y = PAGE.height - PAGE.margin;
      this.#sheet.fill({ ...START, y: y - 12, height: 0.5 }, LINE);
      const pageWords = pageOf(number, count);
      const width = this.#sheet.widthOf(pageWords, small) + CELL_GAP;
      const [line = ""] = this.#sheet.wrap(foot, INNER_WIDTH - width, small);
      this.#sheet.write(line, { from: 0, width: INNER_WIDTH - width, y }, small);
      const end = { from: INNER_WIDTH - width, width, y };
      this.#sheet.write(pageWords, end, { ...small, align: "end" });
    });
  }

  get #top(): number {
    return PAGE.margin + (this.#frame.stamp === undefined ? 0 : STAMP_HEIGHT);
  }

  #addPage(): void {
    this.#sheet.addPage();
    this.#y = this.#top + RUNNING_HEIGHT;
  }

  #room(height: number): boolean {
    if (this.#y + height <= BOTTOM) return false;
    this.#addPage();
    return true;
  }

  #stamp(words: string): void {
    const place = { from: -PAGE.margin, width: PAGE.width, y: 0, height: PAGE.margin + 2 };
    this.#sheet.fill(place, "#111827");
    const style: TextStyle = { size: 13, weight: "bold", color: "#facc15" };
    const width = Math.min(INNER_WIDTH, this.#sheet.widthOf(words, style));
    this.#sheet.write(words, { from: (INNER_WIDTH - width) / 2, width, y: 29 }, style);
  }

  #heading(words: string, least: number): void {
    this.#y += 14;
    this.#room(22 + least);
    this.#y += 11;
    this.#sheet.write(words, { ...START, y: this.#y }, { size: 11, weight: "bold" });
    this.#y += 5;
    this.#sheet.fill({ ...START, y: this.#y, height: 0.8 }, "#111827");
    this.#y += 4;
  }

  #notes(notes: readonly string[]): void {
    for (const note of notes) {
      this.#y += 2;
      this.lines(note, { ...TEXT, color: SOFT });
    }
  }

  #figures(figures: readonly NamedFigure[]): void {
    const width = (INNER_WIDTH - CELL_GAP * (FIGURES_IN_A_ROW - 1)) / FIGURES_IN_A_ROW;
    for (const [index, { name, value }] of figures.entries()) {
      const column = index % FIGURES_IN_A_ROW;
      if (column === 0) {
        if (index > 0) this.#y += FIGURE_HEIGHT + CELL_GAP;
        this.#room(FIGURE_HEIGHT);
      }
      const from = column * (width + CELL_GAP);
      this.#sheet.fill({ from, width, y: this.#y, height: FIGURE_HEIGHT }, SHADE);
      const inner = { from: from + 7, width: width - 14 };
      const named = { ...inner, y: this.#y + 14 };
      this.#sheet.write(name, named, this.#fitting(name, inner.width, { size: 8, color: SOFT }));
      const style = this.#fitting(value, inner.width, { size: 13, weight: "bold" });
      this.#sheet.write(value, { ...inner, y: this.#y + 31 }, style);
    }
    this.#y += FIGURE_HEIGHT;
  }

  #fitting(text: string, width: number, style: TextStyle): TextStyle {
    const needed = this.#sheet.widthOf(text, style);
    return needed <= width ? style : { ...style, size: (style.size * width) / needed };
  }

  #table(columns: readonly TableColumn[], rows: readonly TableRow[]): void {
    const hasHead = columns.some(({ head }) => head !== "");
    const writeHead = () => {
      if (hasHead) this.#row(columns, { cells: columns.map(({ head }) => head) }, "HEAD");
    };
    writeHead();
    for (const row of rows) {
      const kind = row.isSum ? "SUM" : "ROW";
      const isNewPage = this.#room(this.#heightOf(columns, row, styleOf(kind)));
      if (isNewPage) {
        this.#y += ROW_GAP;
        writeHead();
      }
      this.#row(columns, row, kind);
    }
  }

  #row(columns: readonly TableColumn[], row: TableRow, kind: "HEAD" | "ROW" | "SUM"): void {
    const style = styleOf(kind);
    const height = this.#heightOf(columns, row, style);
    if (kind === "SUM") this.#sheet.fill({ ...START, y: this.#y, height }, SHADE);
    let from = 0;
    for (const [index, { share, isNumber = false }] of columns.entries()) {
      const width = share * INNER_WIDTH - CELL_GAP;
      const place = { from: from + CELL_GAP / 2, width };
      // Aligns amounts by their last digits in both writing directions.
      const align = isNumber ? "right" : "start";
      const lines = this.#linesOf(row.cells[index] ?? "", width, isNumber, style);
      for (const [number, line] of lines.entries()) {
        const y = this.#y + ROW_GAP / 2 + (number + 0.76) * LINE_HEIGHT;
        const fitting = isNumber ? this.#fitting(line, width, style) : style;
        this.#sheet.write(line, { ...place, y }, { ...fitting, align });
      }
      from += share * INNER_WIDTH;
    }
    this.#y += height;
    this.#sheet.fill({ ...START, y: this.#y - 0.25, height: 0.4 }, LINE);
  }

  #heightOf(columns: readonly TableColumn[], row: TableRow, style: TextStyle): number {
    const most = columns.map(({ share, isNumber = false }, index) => {
      const width = share * INNER_WIDTH - CELL_GAP;
      return this.#linesOf(row.cells[index] ?? "", width, isNumber, style).length;
    });
    return Math.max(1, ...most) * LINE_HEIGHT + ROW_GAP;
  }

  #linesOf(text: string, width: number, isNumber: boolean, style: TextStyle): string[] {
    return isNumber && style.color === undefined ? [text] : this.#sheet.wrap(text, width, style);
  }
}

function styleOf(kind: "HEAD" | "ROW" | "SUM"): TextStyle {
  if (kind === "HEAD") return { size: 7.5, color: SOFT };
  return kind === "SUM" ? { ...TEXT, weight: "bold" } : TEXT;
}
