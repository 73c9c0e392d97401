import { type Static, Type } from "typebox";
import { defineOperation } from "./operation.ts";

const FirewallState = Type.Enum(["OPEN", "BLOCKED", "UNKNOWN"], {
  description: "UNKNOWN: only an administrator of the machine sees its rules",
});
export type FirewallState = Static<typeof FirewallState>;

/**
 * `GET /pos/network/reach` (owner): addresses at which other machines can reach
 * this gateway, and obstacles.
 */
export const Reach = Type.Object({
  listeners: Type.Array(
    Type.Object({
      url: Type.String({ description: "URL for another machine" }),
      port: Type.Integer(),
      reached: Type.Boolean({
        description: "True if another machine has connected since Tillgate started",
      }),
      firewall: Type.Optional(
        Type.Object({
          name: Type.String(),
          state: FirewallState,
          command: Type.String({ description: "Command by which an administrator opens the port" }),
        }),
      ),
    }),
  ),
});
export type Reach = Static<typeof Reach>;

export const reachOperations = {
  look: defineOperation({
    method: "GET",
    path: "/network/reach",
    answer: Reach,
    access: "owner",
  }),
};
