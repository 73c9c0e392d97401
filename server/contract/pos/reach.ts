import { type Static, Type } from "typebox";
import { defineOperation } from "./operation.ts";

const FirewallState = Type.Enum(["OPEN", "BLOCKED", "UNKNOWN"], {
  description: "UNKNOWN: only an administrator of the machine sees its rules",
});
export type FirewallState = Static<typeof FirewallState>;

/** `GET /pos/network/reach` (owner): how other machines reach this gateway, and what keeps them out. */
export const Reach = Type.Object({
  listeners: Type.Array(
    Type.Object({
      url: Type.String({ description: "What is typed on another machine" }),
      port: Type.Integer(),
      reached: Type.Boolean({
        description: "Whether another machine was there since Tillgate started",
      }),
      firewall: Type.Optional(
        Type.Object({
          name: Type.String(),
          state: FirewallState,
          command: Type.String({ description: "What opens the port, for an administrator" }),
        }),
      ),
    }),
  ),
});
export type Reach = Static<typeof Reach>;

/** How other machines get in. */
export const reachOperations = {
  look: defineOperation({
    method: "GET",
    path: "/network/reach",
    answer: Reach,
    access: "owner",
    refusals: [],
  }),
};
