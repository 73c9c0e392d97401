import { type Static, Type } from "typebox";
import { Input } from "../common.ts";

const EnvironmentSettings = Input({
  queueEnabled: Type.Boolean({
    description: "Whether recoverable provider errors are retried for 24 hours",
  }),
});
export type EnvironmentSettings = Static<typeof EnvironmentSettings>;

/** `GET|PUT /pos/settings` (owner): what is switched for the account, and in each environment. */
export const PosSettings = Input({
  lookupEnabled: Type.Boolean({ description: "Whether keys may look phone numbers up" }),
  idleLockMinutes: Type.Integer({
    minimum: 0,
    maximum: 120,
    description:
      "a number of minutes from 0 to 120: the till locks itself after that long; 0 never",
  }),
  environments: Input({ test: EnvironmentSettings, live: EnvironmentSettings }),
});
export type PosSettings = Static<typeof PosSettings>;
