import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import {
  type AddressInfo,
  createServer,
  type LookupFunction,
  type Server,
  type Socket,
} from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import {
  OutgoingError,
  type OutgoingRequest,
  sendGuarded,
  whyNotUrl,
  whyRefused,
} from "./guarded-request.ts";

const clock = new FakeClock();
const open: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  open.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createHttpServer(listener));

function send(url: string, more: Partial<OutgoingRequest> = {}, resolve?: LookupFunction) {
  const request: OutgoingRequest = {
    method: "POST",
    url,
    body: "{}",
    allowPrivate: true,
    timeout_ms: 10_000,
    keep_bytes: 1024,
    read_bytes: 64 * 1024,
    ...more,
  };
  return sendGuarded(request, clock, resolve);
}

function names(...addresses: string[]): LookupFunction {
  return (_name, _options, callback) =>
    (callback as (error: null, found: object[]) => void)(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
}

async function fault(call: Promise<unknown>): Promise<OutgoingError> {
  const error = await call.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(OutgoingError);
  return error as OutgoingError;
}

describe("address check of outgoing calls", () => {
  const NEVER = [
    ["169.254.169.254", "fe80::1", "fe80::1%eth0", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"],
    ["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
    ["0.0.0.0", "::", "0.1.2.3", "224.0.0.1", "ff02::1", "255.255.255.255", "240.0.0.1"],
    ["192.0.2.1", "198.18.0.1", "2001:db8::1", "100::1", "fec0::1", "::ffff:0.0.0.0"],
    ["2002:7f00:1::1", "2001:0:1::1", "::ffff:0:127.0.0.1", "64:ff9b:1::1", "::7f00:1"],
    ["", "localhost", "1.2.3.4.5", "[::1]"],
  ].flat();
  const OWN = [
    ["127.0.0.1", "127.255.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["100.64.0.1", "::1", "fd00::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::a00:1"],
    ["2130706433", "0x7f.1", "0177.0.0.1", "127.1"],
  ].flat();
  const ANYBODYS = ["8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "64:ff9b::808:808"];

  it.each(NEVER)("refuses %s under every policy", (address) => {
    expect(whyRefused(address, { allowPrivate: false })).toBeTypeOf("string");
    expect(whyRefused(address, { allowPrivate: true })).toBeTypeOf("string");
  });
  it.each(OWN)("accepts %s only if the owner allows it", (address) => {
    expect(whyRefused(address, { allowPrivate: false })).toMatch(/private network/);
    expect(whyRefused(address, { allowPrivate: true })).toBeUndefined();
  });
  it.each(ANYBODYS)("accepts %s", (address) => {
    expect(whyRefused(address, { allowPrivate: false })).toBeUndefined();
  });

  it("refuses an address of this machine in every notation of a URL", async () => {
    let calls = 0;
    const port = await serve((_request, response) => {
      calls += 1;
      response.end();
    });
    const part = fc.integer({ min: 0, max: 255 });
    const spelling = fc
      .tuple(part, part, part, fc.integer({ min: 0, max: 5 }))
      .map(([b, c, d, n]) => {
        const number = 127 * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
        const bytes = [127, b, c, d];
        return [
          bytes.join("."),
          String(number),
          `0x${number.toString(16)}`,
          bytes.map((byte) => `0${byte.toString(8)}`).join("."),
          `127.${number % 2 ** 24}`,
          `[::ffff:${bytes.join(".")}]`,
        ][n];
      });
    const refused = async (host: string | undefined) => {
      const error = await fault(send(`http://${host}:${port}/`, { allowPrivate: false }));
      expect([host, error.kind]).toEqual([host, "address"]);
    };
    await fc.assert(fc.asyncProperty(spelling, refused), { numRuns: 60 });
    for (const host of ["localhost", "LOCALHOST", "[::1]", "0", "１２７.0.0.1"]) {
      await refused(host);
    }
    expect(calls).toBe(0);
  });

  it("checks every resolved address of a name at the time of the call", async () => {
    const port = await serve((_request, response) => response.end("here"));
    const url = `http://hooks.example:${port}/`;
    expect((await send(url, {}, names("127.0.0.1"))).body.toString()).toBe("here");
    const closed = { allowPrivate: false };
    for (const found of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["8.8.8.8", "::1"]]) {
      const error = await fault(send(url, closed, names(...found)));
      expect(error).toMatchObject({ kind: "address" });
      expect(error.message).toMatch(/^hooks\.example is refused: /);
    }
    const metadata = await fault(send(url, {}, names("169.254.169.254")));
    expect(metadata.kind).toBe("address");
  });
});

describe("URL check of outgoing calls", () => {
  it.each([
    ["hooks.example/x", /is not a URL/],
    ["ftp://hooks.example/", /http:\/\/ or https/],
    ["file:///etc/passwd", /http:\/\/ or https/],
    ["javascript:alert(1)", /http:\/\/ or https/],
    ["https://a:b@hooks.example/", /name or password/],
    ["https://hooks.example/#x", /after #/],
    [`https://hooks.example/${"x".repeat(2048)}`, /is not a URL/],
  ])("refuses %s", async (url, words) => {
    expect(whyNotUrl(url)).toMatch(words);
    expect((await fault(send(url))).kind).toBe("address");
  });
  it("accepts http and https", () => {
    expect(whyNotUrl("http://hooks.example:8080/a?b=c")).toBeUndefined();
    expect(whyNotUrl("https://hooks.example")).toBeUndefined();
  });
});

describe("outgoing call", () => {
  it("sends method, path, headers and body, and returns the response", async () => {
    const port = await serve((request, response) => {
      const { method, url, headers } = request;
      request.on("data", (chunk) => {
        response.writeHead(201, { "x-seen": `${method} ${url} ${headers["x-key"]} ${chunk}` });
        response.end("ok");
      });
    });
    const answer = await send(`http://127.0.0.1:${port}/a/b?c=d`, { headers: { "x-key": "k" } });
    expect(answer).toMatchObject({ status: 201, complete: true });
    expect(answer.headers["x-seen"]).toBe("POST /a/b?c=d k {}");
    expect(answer.body.toString()).toBe("ok");
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("does not follow redirects", async () => {
    let calls = 0;
    const port = await serve((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: `http://127.0.0.1:${port}/again` }).end();
    });
    expect((await send(`http://127.0.0.1:${port}/`)).status).toBe(307);
    expect(calls).toBe(1);
  });

  it("keeps the first bytes of a 10 MB body, and reads only slightly more", async () => {
    let sent = 0;
    const port = await serve((request, response) => {
      const piece = Buffer.alloc(64 * 1024, "x");
      response.on("close", () => request.destroy());
      function more(): void {
        while (sent < 10 * 2 ** 20 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      }
      more();
    });
    const answer = await send(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ status: 200, complete: false });
    expect(answer.body).toEqual(Buffer.alloc(1024, "x"));
    expect(sent).toBeLessThan(10 * 2 ** 20);
  });

  it("fails if the response headers are endless", async () => {
    const port = await listen(
      createServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const piece = `x-filler: ${"y".repeat(8000)}\r\n`;
        for (let n = 0; n < 100; n++) socket.write(piece);
      }),
    );
    const error = await fault(send(`http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ kind: "connection", message: "Its headers do not end." });
  });

  it("times out at its deadline and not earlier", async () => {
    const asked = Promise.withResolvers<void>();
    const port = await serve(() => asked.resolve());
    const call = send(`http://127.0.0.1:${port}/`);
    let ended = false;
    call.catch(() => {}).finally(() => (ended = true));
    await asked.promise;
    clock.set(clock.now() + 9_999);
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    clock.set(clock.now() + 1);
    expect(await fault(call)).toMatchObject({ kind: "timeout", message: "No answer within 10 s." });
  });

  it("returns the status at the deadline if the body is endless", async () => {
    const begun = Promise.withResolvers<void>();
    const noteHeaders = () => begun.resolve();
    subscribe("undici:request:headers", noteHeaders);
    const port = await serve((_request, response) => response.write("slow"));
    const call = send(`http://127.0.0.1:${port}/`);
    await begun.promise;
    unsubscribe("undici:request:headers", noteHeaders);
    await new Promise(setImmediate);
    clock.set(clock.now() + 10_000);
    expect(await call).toMatchObject({ status: 200, complete: false });
  });

  it("ends at once when its caller aborts, even during name resolution", async () => {
    const abort = new AbortController();
    const call = send("http://hooks.example/", { signal: abort.signal }, () => {});
    await new Promise(setImmediate);
    abort.abort();
    expect((await fault(call)).kind).toBe("aborted");
    expect((await fault(send("http://hooks.example/", { signal: abort.signal }))).kind).toBe(
      "aborted",
    );
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("fails with the reason why there is no response", async () => {
    const port = await listen(createServer((socket) => socket.resetAndDestroy()));
    const cut = await fault(send(`http://127.0.0.1:${port}/`));
    expect(cut).toMatchObject({ kind: "connection" });
    expect(cut.message).toMatch(/cut/);
    const [server] = open.splice(0);
    await new Promise((resolve) => server!.server.close(resolve));
    const refused = await fault(send(`http://127.0.0.1:${port}/`));
    expect(refused.message).toBe("Nothing listens there (ECONNREFUSED).");
    const unknown: LookupFunction = (_name, _options, callback) =>
      callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), "", 0);
    const nameless = await fault(send("http://nowhere.example/", {}, unknown));
    expect(nameless.message).toBe("There is no server of that name (ENOTFOUND).");
  });
});
