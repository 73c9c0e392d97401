import type { Base, Module } from "../module.ts";
import type { ReportFiles } from "../reports/index.ts";
import { MAIL_JOB, MailCourier } from "./mail-courier.ts";
import { MailService } from "./mail-service.ts";

export function createMailModule(deps: Base & { reportFiles: ReportFiles }) {
  const courier = new MailCourier(deps);
  const mail = new MailService({ ...deps, courier });
  return {
    services: { mail },
    jobs: [
      { kind: MAIL_JOB, run: (subject, run) => courier.sendNext(subject, run), concurrency: 1 },
    ],
    pos: async (app) => (await import("./mail-routes.ts")).registerMailRoutes(app, mail),
  } satisfies Module;
}
