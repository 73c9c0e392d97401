import type { Glyph } from "../../../../server/contract/faces/glyphs.ts";

/** Type sizes on paper, smallest first. */
export type BlockSize = "small" | "body" | "large" | "number" | "total" | "shop";

/**
 * Parts of a receipt from top to bottom, for a printed page or a receipt printer. Texts with `code`
 * run from left to right in every language.
 */
export type ReceiptBlock =
  | LogoBlock
  | FaceBlock
  | { readonly kind: "banner"; readonly text: string }
  | TextBlock
  | PairBlock
  | { readonly kind: "rule"; readonly heavy?: boolean }
  /** Framed message that the customer must see. */
  | { readonly kind: "notice"; readonly title: string; readonly lines: readonly string[] }
  /** PIN that the customer types from the paper. */
  | { readonly kind: "secret"; readonly label: string; readonly value: string }
  | { readonly kind: "qr"; readonly content: string }
  /** A bar at each edge of the printable area, on test pages only. */
  | { readonly kind: "edges" }
  | BarcodeBlock;

/** The logo's address contains the digest. */
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

/** Size of a brand card. In dots of a print head, its height is a multiple of eight. */
export const FACE_MM = { width: 16, height: 10 } as const;

/** Content that is too long is printed as a QR code. */
export interface BarcodeBlock {
  readonly kind: "barcode";
  readonly label: string;
  readonly content: string;
  /** True if the content is printed elsewhere. */
  readonly isWithoutText?: boolean;
}

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  readonly size?: BlockSize;
  readonly bold?: boolean;
  readonly center?: boolean;
  readonly code?: boolean;
  /** Language of the text, if it may differ from the receipt's. */
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
