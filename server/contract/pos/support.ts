import { type Static, Type } from "typebox";
import { defineOperation } from "./operation.ts";

/** `GET /pos/network` (owner): addresses of the till for other devices. */
export const PosNetwork = Type.Object({
  open: Type.Boolean({ description: "True if other devices can reach this gateway" }),
  host: Type.String({ description: "Listening address" }),
  port: Type.Integer(),
  addresses: Type.Array(Type.String(), { description: "URLs for other devices, best first" }),
});
export type PosNetwork = Static<typeof PosNetwork>;

/** `POST /pos/support-file` (owner): log and state of the gateway, without personal data. */
export const SupportFile = Type.Object({ name: Type.String(), text: Type.String() });
export type SupportFile = Static<typeof SupportFile>;

export const supportOperations = {
  getNetwork: defineOperation({
    method: "GET",
    path: "/network",
    answer: PosNetwork,
    access: "owner",
  }),
  makeFile: defineOperation({
    method: "POST",
    path: "/support-file",
    answer: SupportFile,
    access: "owner",
  }),
};
