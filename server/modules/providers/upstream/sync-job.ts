import {
  decodeScope,
  decodeSubject,
  encodeScope,
  encodeSubject,
} from "../../../jobs/job-subject.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import type { ProviderRef } from "./upstream-store.ts";

export const SYNC_JOB = "upstream.sync";

/** Returns the subject of a provider's sync job. That of the first provider has no provider. */
export function toSyncSubject(ref: ProviderRef): string {
  return ref.providerId === FIRST_PROVIDER ? encodeScope(ref) : encodeSubject(ref, ref.providerId);
}

/** @throws RangeError for a text not written by `toSyncSubject` */
export function readSyncSubject(subject: string): ProviderRef {
  if (subject.split("/").length === 2) {
    return { ...decodeScope(subject), providerId: FIRST_PROVIDER };
  }
  const { scope, id: providerId } = decodeSubject(subject);
  return { ...scope, providerId };
}
