import { auditOperations } from "./audit-operations.ts";
import type { Operation } from "./operation.ts";
import { storageOperations } from "./storage-operations.ts";

/** Every operation of the till. What is not listed here cannot be served. */
export const OPERATIONS: readonly Operation[] = [auditOperations, storageOperations].flatMap(
  (topic): Operation[] => Object.values(topic),
);
