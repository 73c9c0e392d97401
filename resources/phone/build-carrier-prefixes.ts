/**
 * Writes carrier-prefixes.json from libphonenumber's carrier data and the project's alias table.
 *
 *     npm run build:carrier-prefixes               writes the file
 *     npm run build:carrier-prefixes -- --check    exits with 1 if the file is stale
 */
import { runGenerator } from "../lib/generated-file.ts";
import {
  buildCarrierPrefixes,
  CARRIER_PREFIXES_FILE,
  carrierPrefixesText,
} from "./build/carrier-prefixes.ts";

runGenerator(CARRIER_PREFIXES_FILE, "build:carrier-prefixes", () =>
  carrierPrefixesText(buildCarrierPrefixes()),
);
