import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { DrawerPin, PrinterHead } from "../../../../server/contract/pos/printers.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { type Direction, directionOf, withoutIsolates } from "../../../lib/direction.ts";
import type { BlockSize, PairBlock, ReceiptBlock } from "../blocks/receipt-block.ts";
import { receiptBlocks } from "../blocks/receipt-blocks.ts";
import { drawBlock, drawLogo } from "./receipt-canvas.ts";

/** Similar characters that every printer has. */
const ALIKE: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u202f": " ",
  "\u2009": " ",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "→": ">",
  "·": "-",
};

/** Matches characters of code page 858: ASCII, western European letters and the euro sign. */
const WESTERN = /^[\x20-\x7e\u00a1-\u00ff\u20ac]*$/;

/** Brightness above which a dot stays white. */
const THRESHOLD = 128;

export interface BytesOptions extends PrinterHead {
  /** True to open the cash drawer before printing. */
  readonly drawer: boolean;
  /** Pin of the drawer connector, 2 by default. */
  readonly drawerPin?: DrawerPin;
  readonly logo?: ImageBitmap | undefined;
}

/**
 * Encodes a receipt for a network printer (ESC/POS), from the same blocks as a printed page.
 * Characters of the printer's font are sent as text, which is sharp and fast. All others are drawn.
 * A right-to-left receipt is drawn as a whole, because printers support only one direction.
 */
export function receiptBytes(receipt: Receipt, options: BytesOptions): Uint8Array {
  const direction = directionOf(receipt.language);
  return blockBytes(receiptBlocks(receipt), direction, options);
}

export function blockBytes(
  blocks: readonly ReceiptBlock[],
  direction: Direction,
  { drawer, drawerPin = 2, logo, ...head }: BytesOptions,
): Uint8Array {
  const writer = new BlockWriter(head, direction, logo);
  if (drawer) writer.openDrawer(drawerPin);
  for (const block of blocks) writer.write(block);
  return writer.cut();
}

export function drawerBytes(pin: DrawerPin): Uint8Array {
  const encoder = new ReceiptPrinterEncoder({ language: "esc-pos" });
  return encoder.initialize().pulse(PULSE_OF_PIN[pin]).encode();
}

/** Line widths that the encoder accepts. At a width not below the printer's, it wraps no line. */
const ENCODER_COLUMNS = [32, 35, 42, 44, 48] as const;
const MAX_COLUMNS = 48;

/** Breaks a text into lines between words, or within a word that is longer than a line. */
function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    let rest = line === "" ? word : `${line} ${word}`;
    if (rest.length > columns && line !== "") {
      lines.push(line);
      rest = word;
    }
    while (rest.length > columns) {
      lines.push(rest.slice(0, columns));
      rest = rest.slice(columns);
    }
    line = rest;
  }
  return [...lines, line];
}

/** The argument of a pulse command for each pin. */
const PULSE_OF_PIN: Readonly<Record<DrawerPin, 0 | 1>> = { 2: 0, 5: 1 };

const SCALE: Readonly<Record<BlockSize, 1 | 2>> = {
  small: 1,
  body: 1,
  large: 1,
  number: 2,
  total: 2,
  shop: 2,
};

class BlockWriter {
  readonly #encoder: ReceiptPrinterEncoder;
  readonly #columns: number;
  readonly #dots: number;
  readonly #direction: Direction;
  readonly #logo: ImageBitmap | undefined;

  constructor(
    { lineLetters: columns, headDots: dots }: PrinterHead,
    direction: Direction,
    logo: ImageBitmap | undefined,
  ) {
    this.#columns = Math.min(columns, MAX_COLUMNS);
    this.#dots = dots;
    this.#direction = direction;
    this.#logo = logo;
    this.#encoder = new ReceiptPrinterEncoder({
      language: "esc-pos",
      columns: ENCODER_COLUMNS.find((width) => width >= this.#columns) ?? MAX_COLUMNS,
      imageMode: "raster",
      feedBeforeCut: 4,
    });
    this.#encoder.initialize().codepage("cp858");
  }

  openDrawer(pin: DrawerPin): void {
    this.#encoder.pulse(PULSE_OF_PIN[pin]);
  }

  write(block: ReceiptBlock): void {
    switch (block.kind) {
      case "logo":
        this.#drawLogo();
        return;
      case "rule":
        this.#rule(block.heavy ? "double" : "single");
        return;
      case "notice":
        this.#rule("single");
        this.write({ kind: "text", text: block.title, bold: true, size: "large" });
        for (const text of block.lines) this.write({ kind: "text", text });
        this.#rule("single");
        return;
      case "secret":
        this.write({ kind: "text", text: block.label, center: true });
        this.#drawOrPrint(block, [block.value], () =>
          this.#say(block.value, {
            scale: this.#fits(block.value, 2) ? 2 : 1,
            bold: true,
            center: true,
          }),
        );
        return;
      case "banner":
        this.#drawOrPrint(block, [block.text], () =>
          this.#say(block.text, {
            scale: this.#fits(block.text, 2) ? 2 : 1,
            bold: true,
            center: true,
          }),
        );
        return;
      case "text": {
        const { text, size = "body", bold = false, center = false } = block;
        const scale = this.#fits(text, SCALE[size]) ? SCALE[size] : 1;
        this.#drawOrPrint(block, [text], () => this.#say(text, { scale, bold, center }));
        return;
      }
      case "pair":
        this.#drawOrPrint(block, [block.label, block.value], () => this.#printPair(block));
        return;
      case "edges":
      case "face":
      case "qr":
        this.#draw(block);
        return;
      case "barcode":
        this.write({ kind: "text", text: block.label, center: true });
        this.#draw(block);
        if (!block.isWithoutText) this.#say(block.content, { scale: 1, bold: false, center: true });
    }
  }

  cut(): Uint8Array {
    return this.#encoder.cut("partial").encode();
  }

  #drawOrPrint(block: ReceiptBlock, texts: readonly string[], say: () => void): void {
    const isPlain = texts.every((text) => plainText(text) !== undefined);
    if (isPlain && this.#direction === "ltr") say();
    else this.#draw(block);
  }

  #draw(block: ReceiptBlock): void {
    const drawn = drawBlock(block, { width: this.#dots, direction: this.#direction });
    if (drawn) this.#encoder.image(drawn, drawn.width, drawn.height, "threshold", THRESHOLD);
  }

  /** Shades become dots of different density. */
  #drawLogo(): void {
    if (!this.#logo) return;
    const drawn = drawLogo(this.#logo, this.#dots);
    this.#encoder.image(drawn, drawn.width, drawn.height, "floydsteinberg", THRESHOLD);
  }

  #rule(style: "single" | "double"): void {
    this.#encoder.rule({ style, width: this.#columns });
  }

  #fits(text: string, scale: number): boolean {
    return text.length * scale <= this.#columns;
  }

  #say(text: string, style: { scale: 1 | 2; bold: boolean; center: boolean }): void {
    const columns = Math.floor(this.#columns / style.scale);
    this.#encoder.bold(style.bold).size(style.scale, style.scale);
    for (const line of wrapText(plainText(text) ?? "", columns)) {
      const indent = style.center ? Math.floor((columns - line.length) / 2) : 0;
      this.#encoder.line(" ".repeat(indent) + line);
    }
    this.#encoder.size(1, 1).bold(false);
  }

  /** A pair that is too long is printed on two lines. */
  #printPair({ label, value, size = "body", bold = false }: PairBlock): void {
    const name = plainText(label) ?? "";
    const amount = plainText(value) ?? "";
    const needed = name.length + amount.length + 1;
    const scale = SCALE[size] * needed <= this.#columns ? SCALE[size] : 1;
    const columns = Math.floor(this.#columns / scale);
    const lines =
      needed <= columns
        ? [name + amount.padStart(columns - name.length)]
        : [name, amount.padStart(columns)];
    for (const line of lines) this.#say(line, { scale, bold, center: false });
  }
}

/** Returns undefined if code page 858 lacks a character, so that the text must be drawn. */
export function plainText(text: string): string | undefined {
  const plain = withoutIsolates(text).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => ALIKE[letter] ?? letter,
  );
  return WESTERN.test(plain) ? plain : undefined;
}
