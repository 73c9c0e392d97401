/**
 * Writes sandbox.json, the catalog of the test environment, from the tables beside it.
 *
 *   node resources/catalog/build-catalog.ts            write the file
 *   node resources/catalog/build-catalog.ts --check    exit 1 when the file is stale
 */
import { runGenerator } from "../lib/generated-file.ts";
import { buildCatalog, CATALOG_FILE, catalogText } from "./build/catalog.ts";

runGenerator(CATALOG_FILE, () => catalogText(buildCatalog()));
