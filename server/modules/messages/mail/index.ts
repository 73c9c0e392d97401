export { type MadeMail, type MailMark, NothingToSend } from "./mail-dispatcher.ts";
export type { MailService } from "./mail-service.ts";
export { deleteServer, eraseRecipients, findServer, writeServer } from "./mail-store.ts";
export { createMailModule } from "./module.ts";
