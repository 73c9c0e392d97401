export { type MadeMail, type MailMark, NothingToSend } from "./mail-dispatcher.ts";
export type { MailService } from "./mail-service.ts";
export { eraseRecipients } from "./mail-store.ts";
export { createMailModule } from "./module.ts";
