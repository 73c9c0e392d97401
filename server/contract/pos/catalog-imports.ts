import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { ClientId } from "./client-id.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { CatalogDifference } from "./upstream.ts";

/** The most bytes of a catalog file: room for some 40,000 offers. */
export const LARGEST_CATALOG_FILE = 24 * 1024 * 1024;
/** The most bytes of a file that are sent in one request. */
export const CATALOG_FILE_PART = 384 * 1024;
/** How many faults of a file are named. */
export const CATALOG_FAULTS_NAMED = 200;

/** As many characters as a part has in Base64. */
const LONGEST_PART = (CATALOG_FILE_PART / 3) * 4;

/** `POST /pos/catalog/:environment/import`: a file will come, in place of one that came before. */
export const CatalogImportInput = Input({
  importId: ClientId,
  name: Name(120),
  bytes: Type.Integer({ minimum: 1, maximum: LARGEST_CATALOG_FILE }),
});
export type CatalogImportInput = Static<typeof CatalogImportInput>;

/** `POST /pos/catalog/:environment/import/parts`: the next bytes of the file; with the last it is checked. */
export const CatalogImportPart = Input({
  importId: ClientId,
  offset: Type.Integer({ minimum: 0, maximum: LARGEST_CATALOG_FILE }),
  content: Type.String({
    minLength: 4,
    maxLength: LONGEST_PART,
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    description: "Base64",
  }),
});
export type CatalogImportPart = Static<typeof CatalogImportPart>;

/** `POST /pos/catalog/:environment/import/acceptance`: the one that was read, and no other. */
const CatalogImportChoice = Input({ importId: ClientId });

/** A fault of a file: its line, the entry and field, and what is wrong, in English. */
const CatalogFileFaultFacts = Type.Object({
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  field: Type.String({ description: "As in `topups[3].price.max`; empty for the file itself" }),
  message: Type.String(),
});

/**
 * RECEIVING, CHECKING; FAULTY: it is not taken as it is. SAME: it says what the catalog holds already. READY:
 * it waits for an owner. WRITING, then DONE; FAILED: the catalog before stays
 * (rules#catalog-import-at-screen).
 */
const CATALOG_IMPORT_STATES = [
  "RECEIVING",
  "CHECKING",
  "FAULTY",
  "SAME",
  "READY",
  "WRITING",
  "DONE",
  "FAILED",
] as const;

const CatalogImport = Type.Object({
  importId: ClientId,
  name: Type.String(),
  state: Type.Enum(CATALOG_IMPORT_STATES),
  receivedBytes: Type.Integer(),
  bytes: Type.Integer(),
  checkedAt: Type.Optional(Timestamp),
  faults: Type.Optional(Type.Array(CatalogFileFaultFacts)),
  faultCount: Type.Optional(Type.Integer()),
  difference: Type.Optional(CatalogDifference),
  written: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "How much of it is written" }),
  ),
  failure: Type.Optional(Type.String()),
});
export type CatalogImport = Static<typeof CatalogImport>;

/** What came of a file that does not wait for its owner. */
export const CatalogImportOutcome = Type.Pick(CatalogImport, [
  "faults",
  "faultCount",
  "written",
  "failure",
]);

/** `GET /pos/catalog/:environment/import`. */
export const CatalogImportState = Type.Object({
  fromProvider: Type.Boolean({
    description: "The catalog comes from the connected provider: no file is taken",
  }),
  import: Type.Optional(CatalogImport),
});
export type CatalogImportState = Static<typeof CatalogImportState>;

const CatalogImportParams = Input({ environment: Environment });

/** Base64 takes four bytes for three. */
const PART_BYTES = (CATALOG_FILE_PART / 3) * 4 + 4_096;

const OF_THE_OWNER = { params: CatalogImportParams, access: "owner" } as const;

/** The catalog of an environment as a file; the owner's. */
export const catalogImportOperations = {
  /** The file that the command line writes and reads, sent as it is written. */
  export: defineOperation({
    ...OF_THE_OWNER,
    method: "GET",
    path: "/catalog/:environment/file",
    answer: Type.String(),
    refusals: [],
  }),
  get: defineOperation({
    ...OF_THE_OWNER,
    method: "GET",
    path: "/catalog/:environment/import",
    answer: CatalogImportState,
    refusals: [],
  }),
  begin: defineOperation({
    ...OF_THE_OWNER,
    method: "POST",
    path: "/catalog/:environment/import",
    body: CatalogImportInput,
    answer: CatalogImportState,
    refusals: [],
  }),
  addPart: defineOperation({
    ...OF_THE_OWNER,
    method: "POST",
    path: "/catalog/:environment/import/parts",
    body: CatalogImportPart,
    answer: CatalogImportState,
    bodyLimitBytes: PART_BYTES,
    refusals: ["NOT_FOUND"],
  }),
  accept: defineOperation({
    ...OF_THE_OWNER,
    method: "POST",
    path: "/catalog/:environment/import/acceptance",
    body: CatalogImportChoice,
    answer: CatalogImportState,
    refusals: ["NOT_FOUND"],
  }),
  /** Nothing of it is left, wherever it stood; what is in force already stays. */
  cancel: defineOperation({
    ...OF_THE_OWNER,
    method: "DELETE",
    path: "/catalog/:environment/import",
    answer: CatalogImportState,
    refusals: [],
  }),
};
