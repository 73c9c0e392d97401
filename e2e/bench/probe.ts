/**
 * Requests an address continuously, in a separate process, and sends the response times to the
 * parent process on request.
 */
import { setTimeout as wait } from "node:timers/promises";

const PAUSE_MS = 3;
const [url = ""] = process.argv.slice(2);
let times_ms: number[] = [];

process.on("message", () => {
  process.send?.(times_ms);
  times_ms = [];
});
process.on("disconnect", () => process.exit());

for (;;) {
  const began = performance.now();
  const answer = await fetch(url);
  await answer.text();
  times_ms.push(performance.now() - began);
  await wait(PAUSE_MS);
}
