import { MailInput, MailState, MailTest, MailTestInput } from "./mail.ts";
import { defineOperation, NOTHING } from "./operation.ts";

/** The shop's own e-mail, over a server of its choice. */
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
