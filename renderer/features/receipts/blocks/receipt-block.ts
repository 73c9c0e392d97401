import type { Glyph } from "../../../../server/contract/faces/glyphs.ts";

/** How large something is on paper, from the smallest print to the number that was sold to. */
export type BlockSize = "small" | "body" | "large" | "number" | "total" | "shop";

/**
 * What a receipt is made of, from top to bottom, whatever it is put on: paper by way of a page, or
 * the bytes of a receipt printer. A `code` runs from left to right in every language.
 */
export type ReceiptBlock =
  | LogoBlock
  | FaceBlock
  | { readonly kind: "banner"; readonly text: string }
  | TextBlock
  | PairBlock
  | { readonly kind: "rule"; readonly heavy?: boolean }
  /** Framed: something the customer must not miss. */
  | { readonly kind: "notice"; readonly title: string; readonly lines: readonly string[] }
  /** A number that is typed in from paper: a PIN. */
  | { readonly kind: "secret"; readonly label: string; readonly value: string }
  | { readonly kind: "qr"; readonly content: string }
  /** Of a test page: a bar at each edge of what the printer reaches. */
  | { readonly kind: "edges" }
  | BarcodeBlock;

/** The shop's picture, by the digest that its address has. */
export interface LogoBlock {
  readonly kind: "logo";
  readonly digest: string;
  readonly width: number;
  readonly height: number;
}

/** The card of a brand, above what was bought of it. */
export interface FaceBlock {
  readonly kind: "face";
  readonly brandName: string;
  readonly glyph: Glyph;
}

/** Of a face on paper; in dots of a printing head its height is a multiple of eight. */
export const FACE_MM = { width: 16, height: 10 } as const;

/** What a scanner reads, under words that say what it is: bars, or a QR code where it is too long. */
export interface BarcodeBlock {
  readonly kind: "barcode";
  readonly label: string;
  readonly content: string;
  /** It is written elsewhere already. */
  readonly isWithoutText?: boolean;
}

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  readonly size?: BlockSize;
  readonly bold?: boolean;
  readonly center?: boolean;
  readonly code?: boolean;
  /** The language, where it may be another than the receipt's. */
  readonly lang?: string;
}

export interface PairBlock {
  readonly kind: "pair";
  readonly label: string;
  readonly value: string;
  readonly size?: BlockSize;
  readonly bold?: boolean;
  readonly code?: boolean;
}
