import { randomBytes, randomUUID } from "node:crypto";

/** Source of ids and secrets. Injected, so that a simulation can be replayed. */
export interface Ids {
  uuid(): string;
  /** Returns `bytes` random bytes as base64url. */
  secret(bytes: number): string;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString("base64url"),
};
