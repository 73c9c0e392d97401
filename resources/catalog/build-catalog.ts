/**
 * Writes sandbox.json, the catalog of the test environment, from the tables in the same folder.
 *
 *     npm run build:catalog               writes the file
 *     npm run build:catalog -- --check    exits with 1 if the file is stale
 */
import { runGenerator } from "../lib/generated-file.ts";
import { buildCatalog, CATALOG_FILE, catalogText } from "./build/catalog.ts";
import { TABLES_DATE } from "./build/tables.ts";

runGenerator(CATALOG_FILE, "build:catalog", () => catalogText(buildCatalog()));

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
if (Date.now() - Date.parse(TABLES_DATE) > YEAR_MS) {
  console.warn(
    `The tables are of ${TABLES_DATE.slice(0, 10)}, more than a year ago: see "Changes of the market" ` +
      "in resources/README.md.",
  );
}
