/** Run by browser.ts in a process of its own, whose TMPDIR is where everything is unpacked to. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

const packed = fileURLToPath(new URL("../bin/", import.meta.resolve("@sparticuz/chromium")));

await chromium.executablePath(packed);
// The libraries Chromium links to and many machines lack: nss, nspr, expat.
await inflate(join(packed, "al2023.tar.br"));
