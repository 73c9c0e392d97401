import { type Static, Type } from "typebox";
import { Input, PLAIN_TEXT, Timestamp } from "../common.ts";
import { defineOperation, NOTHING } from "./operation.ts";

export const MAIL_ADDRESS_PATTERN = '^[^@\\s\\u0000-\\u001f,;<>"]{1,64}@[A-Za-z0-9.-]{1,189}$';
export const MailAddress = Type.String({
  pattern: MAIL_ADDRESS_PATTERN,
  maxLength: 254,
  description: "an e-mail address",
});

const server = {
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: "^[A-Za-z0-9.:-]+$",
    description: "the name or the address of a mail server",
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: "a port from 1 to 65535" }),
  /** TLS from the start, mandatory STARTTLS, or no TLS (for servers in the shop's own network). */
  security: Type.Enum(["TLS", "STARTTLS", "NONE"]),
  user: Type.String({ maxLength: 254, ...PLAIN_TEXT }),
  from: MailAddress,
};

/**
 * `PUT /pos/mail` (owner). Without `password`, the stored password is kept unless the server or
 * user changes. An empty password removes it.
 */
export const MailInput = Input({
  ...server,
  password: Type.Optional(Type.String({ maxLength: 500, ...PLAIN_TEXT })),
});
export type MailInput = Static<typeof MailInput>;

/** `GET /pos/mail` (owner): mail settings without the password. */
export const MailState = Type.Object({
  server: Type.Optional(Type.Object({ ...server, hasPassword: Type.Boolean() })),
  list: Type.Array(
    Type.Object({
      mailId: Type.String(),
      recipients: Type.Array(Type.String()),
      subject: Type.String(),
      state: Type.Enum(["WAITING", "SENT", "FAILED"]),
      createdAt: Timestamp,
      sentAt: Type.Optional(Timestamp),
      fault: Type.Optional(Type.String({ description: "Last response of the mail server" })),
    }),
    { description: "Newest failure" },
  ),
});
export type MailState = Static<typeof MailState>;

/** `POST /pos/mail/test` (owner): sends a test mail at once and returns the outcome. */
const MailTestInput = Input({ to: MailAddress });
const MailTest = Type.Object({
  isSent: Type.Boolean(),
  fault: Type.Optional(Type.String({ description: "Error in the server's words" })),
});
export type MailTest = Static<typeof MailTest>;

export const mailOperations = {
  get: defineOperation({
    method: "GET",
    path: "/mail",
    answer: MailState,
    access: "owner",
    refusals: [],
  }),
  set: defineOperation({
    method: "PUT",
    path: "/mail",
    body: MailInput,
    answer: MailState,
    access: "owner",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/mail",
    answer: NOTHING,
    access: "owner",
    refusals: [],
  }),
  test: defineOperation({
    method: "POST",
    path: "/mail/test",
    body: MailTestInput,
    answer: MailTest,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
