import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { startFakePrinter } from "./fake-printer.ts";

test("the fake printer does not answer picture dots that equal a status request, at any packet size", async () => {
  const printer = await startFakePrinter();
  const question = [0x10, 0x04, 0x01];
  // The picture is two bytes wide and three rows high.
  const picture = [0x1d, 0x76, 0x30, 0, 2, 0, 3, 0, ...question, 0x10, 0x04, 0x01];
  const letters = [0x1b, 0x40, 0x41];
  for (const partBytes of [1, 5, 100]) {
    const before = printer.received.length;
    const answers = await send(
      printer,
      [...question, ...picture, ...letters, ...question],
      partBytes,
    );
    expect(answers).toBe(2);
    expect([...(printer.received[before] ?? [])]).toEqual([...picture, ...letters]);
  }
  await printer.close();
});

/** Returns the number of answers. */
async function send(
  { host, port }: { host: string; port: number },
  bytes: readonly number[],
  partBytes: number,
): Promise<number> {
  const socket = createConnection({ host, port, noDelay: true });
  let answers = 0;
  for (let at = 0; at < bytes.length; at += partBytes) {
    socket.write(Buffer.from(bytes.slice(at, at + partBytes)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      answers += chunk.length;
      if (answers >= 2) socket.end();
    });
    socket.on("close", () => resolve());
  });
  return answers;
}
