import type { ReportFiles } from "../../books/reports/index.ts";
import type { Base, Module } from "../../module.ts";
import { Housekeeping } from "./housekeeping.ts";

type HousekeepingModuleDeps = Base & { reportFiles: ReportFiles };

export function createHousekeepingModule({ reportFiles, ...base }: HousekeepingModuleDeps) {
  const housekeeping = new Housekeeping({ ...base, files: reportFiles });
  return {
    services: { housekeeping },
    start: () => housekeeping.start(),
    stop: () => housekeeping.stop(),
  } satisfies Module;
}
