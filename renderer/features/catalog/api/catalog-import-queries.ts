import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  CATALOG_FILE_PART,
  type CatalogImportState,
  catalogImportOperations,
} from "../../../../server/contract/pos/catalog-imports.ts";
import { addressOf } from "../../../../server/contract/pos/operation.ts";
import { call } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

const LOOK_AGAIN_MS = 500;
const SLOW_MS = 60_000;
const LONGEST_NAME = 120;
/** Number of bytes converted to text in one call. */
const TEXT_STEP = 8_192;

export function catalogFileAddress(environment: Environment): string {
  return addressOf(catalogImportOperations.export, { environment });
}

/** The state is polled while the gateway processes the uploaded file. */
export function catalogImportQuery(environment: Environment) {
  return queryOptions({
    ...operationQuery(catalogImportOperations.get, { params: { environment } }),
    refetchInterval: ({ state }) => {
      const data: CatalogImportState | undefined = state.data;
      const isWorkedOn = data?.import?.state === "CHECKING" || data?.import?.state === "WRITING";
      return isWorkedOn ? LOOK_AGAIN_MS : false;
    },
  });
}

interface Sending {
  readonly environment: Environment;
  readonly file: File;
  readonly onSent: (state: CatalogImportState) => void;
}

/** Uploads one file at a time, in parts small enough to keep the gateway busy only briefly. */
export class CatalogSender {
  #leaving: AbortController | undefined;

  /** Cancels a previous upload. */
  async send({ environment, file, onSent }: Sending): Promise<void> {
    this.stop();
    this.#leaving = new AbortController();
    const importId = newId();
    const asked = { params: { environment }, signal: this.#leaving.signal, timeoutMs: SLOW_MS };
    const input = { importId, name: file.name.slice(-LONGEST_NAME), bytes: file.size };
    onSent(await call(catalogImportOperations.begin, { ...asked, body: input }));
    for (let offset = 0; offset < file.size; offset += CATALOG_FILE_PART) {
      const part = await file.slice(offset, offset + CATALOG_FILE_PART).arrayBuffer();
      const body = { importId, offset, content: toBase64(new Uint8Array(part)) };
      onSent(await call(catalogImportOperations.addPart, { ...asked, body }));
    }
  }

  stop(): void {
    this.#leaving?.abort();
  }
}

export function acceptCatalogFile(environment: Environment, importId: string) {
  const params = { environment };
  return call(catalogImportOperations.accept, { params, body: { importId }, timeoutMs: SLOW_MS });
}

export function cancelCatalogFile(environment: Environment) {
  return call(catalogImportOperations.cancel, { params: { environment }, timeoutMs: SLOW_MS });
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += TEXT_STEP) {
    text += String.fromCharCode(...bytes.subarray(from, from + TEXT_STEP));
  }
  return btoa(text);
}
