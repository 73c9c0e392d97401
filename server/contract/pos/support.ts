import { type Static, Type } from "typebox";
import { defineOperation } from "./operation.ts";

/** `GET /pos/network` (owner): how other devices open the till. */
export const PosNetwork = Type.Object({
  open: Type.Boolean({ description: "Whether other devices reach this gateway" }),
  host: Type.String({ description: "The address that it listens on" }),
  port: Type.Integer(),
  addresses: Type.Array(Type.String(), { description: "What other devices type, best first" }),
});
export type PosNetwork = Static<typeof PosNetwork>;

/** `POST /pos/support-file` (owner): the log and how the gateway does, without anything of anybody's. */
export const SupportFile = Type.Object({ name: Type.String(), text: Type.String() });
export type SupportFile = Static<typeof SupportFile>;

/** What an owner hands to the support. */
export const supportOperations = {
  getNetwork: defineOperation({
    method: "GET",
    path: "/network",
    answer: PosNetwork,
    access: "owner",
    refusals: [],
  }),
  makeFile: defineOperation({
    method: "POST",
    path: "/support-file",
    answer: SupportFile,
    access: "owner",
    refusals: [],
  }),
};
