export type { MadeMail, MailMark, MailService } from "./mail-service.ts";
export { eraseRecipients } from "./mail-store.ts";
export { createMailModule } from "./module.ts";
