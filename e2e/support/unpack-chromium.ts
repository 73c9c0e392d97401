/**
 * browser.ts runs this file in a separate process, whose `TMPDIR` is the target of the unpacking.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

const packed = fileURLToPath(new URL("../bin/", import.meta.resolve("@sparticuz/chromium")));

await chromium.executablePath(packed);
// Libraries that Chromium links to and many machines lack: nss, nspr, expat.
await inflate(join(packed, "al2023.tar.br"));
