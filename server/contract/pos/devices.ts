import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";

const LONGEST_DEVICE_NAME = 40;

/** A device of the shop's network that an owner let in. */
export const PosDevice = Type.Object({
  deviceId: Type.String(),
  name: Type.String(),
  enrolledAt: Timestamp,
  seenAt: Timestamp,
  address: Type.String({ description: "Where it was seen last" }),
  revokedAt: Type.Optional(Timestamp),
  isHere: Type.Boolean({ description: "It is the one that asks" }),
});
export type PosDevice = Static<typeof PosDevice>;

/** `GET /pos/devices` (owner): in the order they were let in, and how another one is. */
export const PosDevices = Type.Object({
  list: Type.Array(PosDevice),
  entrance: Type.Optional(
    Type.Object(
      {
        addresses: Type.Array(Type.String(), {
          description: "What is opened on another device; names, which stay, before addresses",
        }),
        authority: Type.Optional(
          Type.String({
            description: "SHA-256 of the shop's authority, where devices have to be told of it",
          }),
        ),
      },
      { description: "Absent where no port is open for devices" },
    ),
  ),
});
export type PosDevices = Static<typeof PosDevices>;

/** `POST /pos/devices/codes` (owner). */
const DeviceCodeInput = Input({ name: Name(LONGEST_DEVICE_NAME) });

/** A code that lets one device in, once; it is not shown again. */
const DeviceCode = Type.Object({
  code: Type.String(),
  lastsS: Type.Integer({ description: "How long it is good, by the clock of whoever reads this" }),
});

const DeviceParams = Input({ deviceId: Type.String({ minLength: 1, maxLength: 64 }) });

/** The devices of the shop's network that an owner let in. */
export const deviceOperations = {
  list: defineOperation({
    method: "GET",
    path: "/devices",
    answer: PosDevices,
    access: "owner",
    refusals: [],
  }),
  makeCode: defineOperation({
    method: "POST",
    path: "/devices/codes",
    body: DeviceCodeInput,
    answer: DeviceCode,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
  revoke: defineOperation({
    method: "DELETE",
    path: "/devices/:deviceId",
    params: DeviceParams,
    answer: NOTHING,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
};
