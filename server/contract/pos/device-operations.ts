import { DeviceCode, DeviceCodeInput, DeviceParams, PosDevices } from "./devices.ts";
import { defineOperation, NOTHING } from "./operation.ts";

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
