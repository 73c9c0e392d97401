import type { ReportFiles } from "../../books/reports/index.ts";
import type { Base, Module } from "../../module.ts";
import { MAIL_JOB, MailDispatcher } from "./mail-dispatcher.ts";
import { MailService } from "./mail-service.ts";

export { type MadeMail, type MailMark, NothingToSend } from "./mail-dispatcher.ts";
export type { MailService } from "./mail-service.ts";
export { deleteServer, eraseRecipients, findServer, writeServer } from "./mail-store.ts";

export function createMailModule(deps: Base & { reportFiles: ReportFiles }) {
  const dispatcher = new MailDispatcher(deps);
  const mail = new MailService({ ...deps, dispatcher });
  return {
    services: { mail },
    jobs: [
      { kind: MAIL_JOB, run: (subject, run) => dispatcher.sendNext(subject, run), concurrency: 1 },
    ],
    pos: async (app) => (await import("./mail-routes.ts")).registerMailRoutes(app, mail),
  } satisfies Module;
}
