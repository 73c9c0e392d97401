import { Type } from "typebox";
import {
  CATALOG_FILE_PART,
  CatalogImportChoice,
  CatalogImportInput,
  CatalogImportParams,
  CatalogImportPart,
  CatalogImportState,
} from "./catalog-imports.ts";
import { defineOperation } from "./operation.ts";

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
