import { queryOptions } from "@tanstack/react-query";
import { deviceOperations } from "../../../../server/contract/pos/devices.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

const WHILE_AWAITED_MS = 2_000;
const WHILE_SHOWN_MS = 30_000;

/** @param isAwaited true while a device is about to enroll, which needs faster polling */
export function devicesQuery(isAwaited: boolean) {
  return queryOptions({
    ...operationQuery(deviceOperations.list),
    refetchInterval: isAwaited ? WHILE_AWAITED_MS : WHILE_SHOWN_MS,
  });
}
