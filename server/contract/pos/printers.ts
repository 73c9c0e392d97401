import { type Static, Type } from "typebox";
import { ClientId, Input, Timestamp } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";

const PAPERS = ["58mm", "80mm"] as const;
export const RollWidth = Type.Enum(PAPERS);
export type RollWidth = Static<typeof RollWidth>;

export const DRAWER_PINS = [2, 5] as const;
const DrawerPin = Type.Enum(DRAWER_PINS, {
  description: "The pin of the drawer connector that opens the drawer; 2 on most printers",
});
export type DrawerPin = Static<typeof DrawerPin>;

export const USUAL_HEADS: Readonly<Record<RollWidth, PrinterHead>> = {
  "58mm": { lineLetters: 32, headDots: 384 },
  "80mm": { lineLetters: 48, headDots: 576 },
};

export interface PrinterHead {
  readonly lineLetters: number;
  readonly headDots: number;
}

const LineLetters = Type.Integer({
  minimum: 24,
  maximum: 64,
  description: "Letters of normal size per line, as on the printer's own test page",
});
const HeadDots = Type.Integer({
  minimum: 256,
  maximum: 576,
  multipleOf: 8,
  description: "Printed dots per line: 384 on most 58 mm rolls, 512 or 576 on 80 mm",
});

/** `PUT /pos/printers/{printerId}`: a receipt printer on the shop's network. */
export const PrinterInput = Input({
  name: Name(40),
  host: Type.String({
    pattern: "^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$",
    description: "an address such as 192.168.1.50, or a name on the shop's network",
    examples: ["192.168.1.50"],
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: "9100 on nearly every printer" }),
  paper: RollWidth,
  drawer: Type.Boolean({ description: "True if a cash drawer is connected to it" }),
  drawerPin: Type.Optional(DrawerPin),
  lineLetters: Type.Optional(LineLetters),
  headDots: Type.Optional(HeadDots),
});
export type PrinterInput = Static<typeof PrinterInput>;

export const Printer = Type.Object({
  printerId: Type.String(),
  name: Type.String(),
  host: Type.String(),
  port: Type.Integer(),
  paper: RollWidth,
  drawer: Type.Boolean(),
  drawerPin: DrawerPin,
  lineLetters: Type.Integer(),
  headDots: Type.Integer(),
});
export type Printer = Static<typeof Printer>;

export const SavedPrinter = Type.Object({
  ...Printer.properties,
  isAddressUnknown: Type.Boolean({
    description:
      "A name was not found on the network, so that this address could not be compared with those of the other printers",
  }),
});
export type SavedPrinter = Static<typeof SavedPrinter>;

export const Printers = Type.Object({ list: Type.Array(Printer) });
export type Printers = Static<typeof Printers>;

const PrinterParams = Input({ printerId: ClientId });

/** Maximum bytes of a print: seven metres of graphics on the widest paper. */
export const MOST_PRINT_BYTES = 4 * 1024 * 1024;

const DRAWER_REASONS = ["SALE", "CUSTOMER_REFUND", "MOVEMENT", "TEST"] as const;
/** Reason for opening the drawer: a recent cash booking, or a printer test. */
export const DrawerCause = Input({
  reason: Type.Enum(DRAWER_REASONS),
  id: ClientId,
});
export type DrawerCause = Static<typeof DrawerCause>;

/**
 * `POST /pos/printers/{printerId}/prints`. A request with an earlier `printId` prints only if no
 * byte of the earlier request was sent; otherwise the outcome may be unknown. A receipt or Z report
 * uses its recorded `printId`.
 *
 * Bytes that open the drawer, or may open it because the till did not compose them, require
 * `drawer`: the id of the person's own cash sale, cash refund or cash movement of the last ten
 * minutes. Each booking opens a drawer once. With the permission `noSale`, a TEST with the
 * printer's id suffices. Without a valid `drawer`, and in training, the print is FORBIDDEN, and the
 * error names the permission (rules#drawer-opens-for-a-booking).
 */
export const PrintInput = Input({
  printId: ClientId,
  drawer: Type.Optional(DrawerCause),
  data: Type.String({
    minLength: 4,
    maxLength: Math.ceil(MOST_PRINT_BYTES / 3) * 4,
    description: "what the printer gets, in base64",
  }),
});
export type PrintInput = Static<typeof PrintInput>;

const STATES = ["WAITING", "PRINTED", "FAILED"] as const;
const TROUBLES = [
  "OFF",
  "BUSY",
  "NO_ANSWER",
  "OUT_OF_PAPER",
  "COVER_OPEN",
  "FAULT",
  "ADDRESS_REFUSED",
  "REPLACED",
] as const;
/**
 * Reasons why a print failed completely or in part. REPLACED: another print of the same receipt was
 * recorded before this print began. BUSY: the printer refused connections for 30 seconds.
 */
export const PrintTrouble = Type.Enum(TROUBLES);
export type PrintTrouble = Static<typeof PrintTrouble>;

/**
 * Outcome of a print. Outcomes of tests and X reports are deleted ten minutes after the request.
 */
export const Print = Type.Object({
  printId: Type.String(),
  printerId: Type.String(),
  state: Type.Enum(STATES),
  begun: Type.Boolean({
    description: "True if bytes may have reached the printer: a later print of the same is a copy",
  }),
  confirmed: Type.Boolean({ description: "True if the printer confirmed its status afterwards" }),
  trouble: Type.Optional(PrintTrouble),
  askedAt: Timestamp,
});
export type Print = Static<typeof Print>;

export const PrintParams = Input({ printerId: ClientId, printId: ClientId });
export type PrintParams = Static<typeof PrintParams>;

/**
 * `POST /pos/prints/{printId}/begin`: reports that a device will send a recorded print to its own
 * printer. The device prints after the response. Every later print of the same receipt is a copy.
 */
const PrintIdParams = Input({ printId: ClientId });

/** Base64 adds a third to the bytes; the other fields are short. */
const PRINT_BODY_BYTES = Math.ceil(MOST_PRINT_BYTES * 1.5);

export const printerOperations = {
  list: defineOperation({
    method: "GET",
    path: "/printers",
    answer: Printers,
    access: "seller",
  }),
  save: defineOperation({
    method: "PUT",
    path: "/printers/:printerId",
    params: PrinterParams,
    body: PrinterInput,
    answer: SavedPrinter,
    access: "owner",
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/printers/:printerId",
    params: PrinterParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  print: defineOperation({
    method: "POST",
    path: "/printers/:printerId/prints",
    params: PrinterParams,
    body: PrintInput,
    answer: Print,
    access: "seller",
    rights: ["noSale"],
    refusals: ["NOT_FOUND", "FORBIDDEN", "RATE_LIMITED"],
    bodyLimitBytes: PRINT_BODY_BYTES,
  }),
  beginPrint: defineOperation({
    method: "POST",
    path: "/prints/:printId/begin",
    params: PrintIdParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  getPrint: defineOperation({
    method: "GET",
    path: "/printers/:printerId/prints/:printId",
    params: PrintParams,
    answer: Print,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
