import { Type } from "typebox";

/** An id that the till makes before it sends anything, and keeps. */
export const ClientId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "a UUID in small letters, made by the till before it is sent, and kept",
});

/** The approval for something that the person may not do alone. */
export const ApprovalId = Type.Optional(ClientId);
