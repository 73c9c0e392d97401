/**
 * Writes carrier-prefixes.json from the carrier data of libphonenumber and our alias table.
 *
 *   node resources/phone/build-carrier-prefixes.ts            write the file
 *   node resources/phone/build-carrier-prefixes.ts --check    exit 1 when the file is stale
 */
import { runGenerator } from "../lib/generated-file.ts";
import {
  buildCarrierPrefixes,
  CARRIER_PREFIXES_FILE,
  carrierPrefixesText,
} from "./build/carrier-prefixes.ts";

runGenerator(CARRIER_PREFIXES_FILE, () => carrierPrefixesText(buildCarrierPrefixes()));
