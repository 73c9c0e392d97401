import type { Glyph } from "../../../../server/contract/faces/glyphs.ts";

/** Type sizes on paper, from the smallest to the recipient's number. */
export type BlockSize = "small" | "body" | "large" | "number" | "total" | "shop";

/**
 * The parts of a receipt from top to bottom, for every output: a printed page, or the bytes of a
 * receipt printer. A `code` runs from left to right in every language.
 */
export type ReceiptBlock =
  | LogoBlock
  | FaceBlock
  | { readonly kind: "banner"; readonly text: string }
  | TextBlock
  | PairBlock
  | { readonly kind: "rule"; readonly heavy?: boolean }
  /** Framed message that the customer must not miss. */
  | { readonly kind: "notice"; readonly title: string; readonly lines: readonly string[] }
  /** PIN that the customer types from paper. */
  | { readonly kind: "secret"; readonly label: string; readonly value: string }
  | { readonly kind: "qr"; readonly content: string }
  /** On a test page: a bar at each edge of the printable area. */
  | { readonly kind: "edges" }
  | BarcodeBlock;

/** The shop's logo, identified by the digest in its address. */
export interface LogoBlock {
  readonly kind: "logo";
  readonly digest: string;
  readonly width: number;
  readonly height: number;
}

export interface FaceBlock {
  readonly kind: "face";
  readonly brandName: string;
  readonly glyph: Glyph;
}

/** Size of a brand card. Its height in dots of a print head is a multiple of eight. */
export const FACE_MM = { width: 16, height: 10 } as const;

/** A barcode below its label, or a QR code if the content is too long. */
export interface BarcodeBlock {
  readonly kind: "barcode";
  readonly label: string;
  readonly content: string;
  /** True if the content is already printed elsewhere. */
  readonly isWithoutText?: boolean;
}

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  readonly size?: BlockSize;
  readonly bold?: boolean;
  readonly center?: boolean;
  readonly code?: boolean;
  /** Language of the text, if it may differ from the receipt's language. */
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
