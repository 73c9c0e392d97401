export { createTillsModule } from "./module.ts";
export { readTill, type SoldFrom, tillNames } from "./till-service.ts";
