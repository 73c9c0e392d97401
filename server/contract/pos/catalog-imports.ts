import { type Static, Type } from "typebox";
import { ClientId, Environment, Input, Timestamp } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { CatalogDifference } from "./upstream.ts";

/** Maximum size of a catalog file in bytes, enough for about 40,000 offers. */
export const LARGEST_CATALOG_FILE = 24 * 1024 * 1024;
/** Maximum bytes of a file per request, before Base64. */
export const CATALOG_FILE_PART = 384 * 1024;
/** Maximum number of listed errors of a file. */
export const CATALOG_FAULTS_NAMED = 200;

const LONGEST_PART = (CATALOG_FILE_PART / 3) * 4;

/** `POST /pos/catalog/:environment/import`: announces a file, which replaces any earlier file. */
export const CatalogImportInput = Input({
  importId: ClientId,
  name: Name(120),
  bytes: Type.Integer({ minimum: 1, maximum: LARGEST_CATALOG_FILE }),
});
export type CatalogImportInput = Static<typeof CatalogImportInput>;

/**
 * `POST /pos/catalog/:environment/import/parts`: the next bytes of the file. The
 * last part starts the check.
 */
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

/** `POST /pos/catalog/:environment/import/acceptance`: accepts the displayed file. */
const CatalogImportChoice = Input({ importId: ClientId });

const CatalogFileFaultFacts = Type.Object({
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  field: Type.String({
    description: "Path such as `topups[3].price.max`; empty for the file itself",
  }),
  message: Type.String(),
});

/**
 * RECEIVING, then CHECKING. FAULTY: the file has errors. SAME: the file equals the catalog. READY:
 * the file waits for an owner's decision. WRITING, then DONE; FAILED: the old catalog remains
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
  written: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Written fraction" })),
  failure: Type.Optional(Type.String()),
});
export type CatalogImport = Static<typeof CatalogImport>;

/** Stored outcome of a file: its errors, the written catalog, or the failure. */
export const CatalogImportOutcome = Type.Pick(CatalogImport, [
  "faults",
  "faultCount",
  "written",
  "failure",
]);

export const CatalogImportState = Type.Object({
  fromProvider: Type.Boolean({
    description: "The connected provider supplies the catalog: files are refused",
  }),
  import: Type.Optional(CatalogImport),
});
export type CatalogImportState = Static<typeof CatalogImportState>;

const CatalogImportParams = Input({ environment: Environment });

/** Base64 needs four characters for three bytes. */
const PART_BYTES = (CATALOG_FILE_PART / 3) * 4 + 4_096;

const OF_THE_OWNER = { params: CatalogImportParams, access: "owner" } as const;

export const catalogImportOperations = {
  /** Streams the same file as the command line's export. */
  export: defineOperation({
    ...OF_THE_OWNER,
    method: "GET",
    path: "/catalog/:environment/file",
    answer: Type.String(),
  }),
  get: defineOperation({
    ...OF_THE_OWNER,
    method: "GET",
    path: "/catalog/:environment/import",
    answer: CatalogImportState,
  }),
  begin: defineOperation({
    ...OF_THE_OWNER,
    method: "POST",
    path: "/catalog/:environment/import",
    body: CatalogImportInput,
    answer: CatalogImportState,
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
  /** Deletes the file in any state. An accepted catalog remains. */
  cancel: defineOperation({
    ...OF_THE_OWNER,
    method: "DELETE",
    path: "/catalog/:environment/import",
    answer: CatalogImportState,
  }),
};
