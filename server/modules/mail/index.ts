export type { MailService } from "./mail-service.ts";
export { findMail } from "./mail-store.ts";
export { createMailModule } from "./module.ts";
