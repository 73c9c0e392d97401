export type { MadeMail, MailService } from "./mail-service.ts";
export { eraseRecipients, findMail } from "./mail-store.ts";
export { createMailModule } from "./module.ts";
