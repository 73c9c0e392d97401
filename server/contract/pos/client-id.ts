import { Type } from "typebox";

/** An id that the till creates and stores before it sends a request. */
export const ClientId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "a UUID in small letters, made by the till before it is sent, and kept",
});

/** Id of the approval of an action for which the person lacks the permission. */
export const ApprovalId = Type.Optional(ClientId);
