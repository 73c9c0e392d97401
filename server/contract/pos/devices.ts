import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";

const LONGEST_DEVICE_NAME = 40;

export const PosDevice = Type.Object({
  deviceId: Type.String(),
  name: Type.String(),
  enrolledAt: Timestamp,
  seenAt: Timestamp,
  address: Type.String({ description: "Last address" }),
  revokedAt: Type.Optional(Timestamp),
  isHere: Type.Boolean({ description: "True for the requesting device" }),
});
export type PosDevice = Static<typeof PosDevice>;

/**
 * `GET /pos/devices` (owner): devices in order of enrolment, and the data to enroll a new device.
 */
export const PosDevices = Type.Object({
  list: Type.Array(PosDevice),
  entrance: Type.Optional(
    Type.Object(
      {
        addresses: Type.Array(Type.String(), {
          description: "URLs for another device; host names, which are stable, before addresses",
        }),
        authority: Type.Optional(
          Type.String({
            description: "SHA-256 of the shop's authority, if devices must trust it",
          }),
        ),
      },
      { description: "Absent if no port is open for devices" },
    ),
  ),
});
export type PosDevices = Static<typeof PosDevices>;

const DeviceCodeInput = Input({ name: Name(LONGEST_DEVICE_NAME) });

/** A code that enrolls one device. Only this response contains the code. */
const DeviceCode = Type.Object({
  code: Type.String(),
  lastsS: Type.Integer({ description: "Validity in seconds from the response" }),
});

const DeviceParams = Input({ deviceId: Type.String({ minLength: 1, maxLength: 64 }) });

export const deviceOperations = {
  list: defineOperation({
    method: "GET",
    path: "/devices",
    answer: PosDevices,
    access: "owner",
  }),
  makeCode: defineOperation({
    method: "POST",
    path: "/devices/codes",
    body: DeviceCodeInput,
    answer: DeviceCode,
    access: "owner",
    asksPin: "always",
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
