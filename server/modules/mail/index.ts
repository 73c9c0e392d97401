export type { MailService } from "./mail-service.ts";
export { createMailModule } from "./module.ts";
