import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartupError } from "../server/index.ts";
import { copyFirstStart } from "../server/testing/first-day.ts";
import { startOnKeptThread } from "../server/testing/kept-threads.ts";
import { startApp } from "./bootstrap.ts";
import { closeBeforeQuit } from "./gateway-host.ts";
import { ElectronStandIn } from "./testing/electron-stand-in.ts";
import { PreventableEvent } from "./testing/window-stand-in.ts";

const FOREIGN = "https://example.com/";

let folder: string;
let running: ElectronStandIn[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-shell-"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>The till</title>");
  await copyFirstStart(join(folder, "data"));
  running = [];
});

afterEach(async () => {
  for (const electron of running) {
    if (electron.exitCode === undefined) {
      // The app quits without asking, as on a system shutdown.
      for (const window of electron.windows) window.isClosed = true;
      electron.asElectron().app.quit();
      await electron.ended;
    }
  }
  await rm(folder, { recursive: true, force: true });
});

interface StartOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly devServerUrl?: string;
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
  readonly failsToLoad?: boolean;
}

async function start(options: StartOptions = {}): Promise<ElectronStandIn> {
  const { dataDir = join(folder, "data"), port = 0, devServerUrl, ...rest } = options;
  const electron = new ElectronStandIn(rest);
  running.push(electron);
  await startApp(electron.asElectron(), {
    gateway: {
      dataDir,
      port,
      logLevel: "silent",
      rendererDir: folder,
      resourcesDir: join(import.meta.dirname, "../resources"),
      startErrand: startOnKeptThread,
    },
    preload: join(folder, "preload.cjs"),
    devServerUrl,
  });
  return electron;
}

function onlyWindow(electron: ElectronStandIn) {
  expect(electron.windows).toHaveLength(1);
  return electron.windows[0]!;
}

describe("startApp", () => {
  test("hosts the gateway for this machine only, and shows the till from this gateway", async () => {
    const window = onlyWindow(await start());

    expect(window.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const page = await fetch(window.url);
    expect(await page.text()).toContain("The till");
    const status = await fetch(`${window.url}/pos/status`);
    expect(await status.json()).toMatchObject({ setUp: false });
    expect(window.calls).toEqual(["show"]);
  });

  test("refuses to open data that another gateway uses", async () => {
    const first = await start();
    const second = await start();
    expect(second.errorBoxes).toHaveLength(1);
    expect(second.exitCode).toBe(1);
    expect(onlyWindow(first).url).toMatch(/^http:/);
    const elsewhere = await start({ dataDir: join(folder, "elsewhere") });
    expect(elsewhere.errorBoxes).toEqual([]);
  });

  test("ends a second instance, which brings the first window to the front", async () => {
    const first = await start();
    const second = await start({ isFirst: false });

    expect(second.windows).toHaveLength(0);
    expect(second.exitCode).toBe(0);
    const window = onlyWindow(first);
    window.minimized = true;
    first.app.emit("second-instance", {}, ["tillgate"]);
    expect(window.calls).toEqual(["show", "restore", "show", "focus"]);
  });

  test("reports in one line that the port is in use, and ends the app", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };

    const electron = await start({ port });
    other.close();

    expect(electron.exitCode).toBe(1);
    expect(electron.windows).toHaveLength(0);
    expect(electron.errorBoxes).toHaveLength(1);
    expect(electron.errorBoxes[0]!.content).toContain(String(port));
    expect(electron.errorBoxes[0]!.content).not.toContain("\n");
    // The failed start released its lock on the data.
    expect((await start()).errorBoxes).toEqual([]);
  });
});

test("startApp reports a window that cannot show the till, and leaves nothing running", async () => {
  const electron = await start({ failsToLoad: true });
  await electron.ended;

  expect(electron.errorBoxes).toHaveLength(1);
  expect((await start()).errorBoxes).toEqual([]);
});

describe("quitting the app", () => {
  test("closes the window and the gateway, and then ends the app", async () => {
    const electron = await start();
    const { url } = onlyWindow(electron);

    electron.app.emit("window-all-closed");
    expect(electron.exitCode).toBeUndefined();
    await electron.ended;

    expect(electron.exitCode).toBe(0);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect((await start()).errorBoxes).toEqual([]);
  });
});

test("closeBeforeQuit ignores a second quit while work is unfinished", async () => {
  const electron = new ElectronStandIn();
  const work = Promise.withResolvers<void>();
  let closings = 0;
  closeBeforeQuit(electron.asElectron().app, {
    close: () => {
      closings += 1;
      return work.promise;
    },
  });

  electron.asElectron().app.quit();
  electron.asElectron().app.quit();
  expect(electron.exitCode).toBeUndefined();
  work.resolve();
  await electron.ended;
  expect(closings).toBe(1);
  expect(electron.exitCode).toBe(0);
});

test("closeBeforeQuit ends the app even if the gateway fails to close", async () => {
  const electron = new ElectronStandIn();
  closeBeforeQuit(electron.asElectron().app, {
    close: () => Promise.reject(new StartupError("The disk is full.")),
  });
  electron.asElectron().app.quit();
  await electron.ended;
  expect(electron.exitCode).toBe(0);
});

describe("closing the window with unfinished work", () => {
  async function startWithShift() {
    const electron = await start();
    const window = onlyWindow(electron);
    const owner = { shopName: "Sol", currency: "USD", language: "es", ownerPin: "471183" };
    const setUp = await post(window.url, "/pos/setup", owner);
    const cookie = setUp.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const shiftId = randomUUID();
    await post(window.url, "/pos/shifts", { shiftId, float: 0 }, cookie);
    return { electron, window, cookie, shiftId };
  }

  async function sellTo(url: string, cookie: string, recipientPhoneNumber: string) {
    const offerId = "TIGO_GT_TOPUP_25";
    const quote = await (await post(url, "/pos/quotes", { offerId }, cookie)).json();
    const { price } = quote as { price: number };
    const ids = { productType: "TOPUP", transactionId: randomUUID() };
    const line = { ...ids, offerId, recipientPhoneNumber, price };
    const tenders = [{ kind: "CASH", tendered: price }];
    const sale = { saleId: randomUUID(), lines: [line], tenders };
    expect((await post(url, "/pos/sales", sale, cookie)).status).toBe(200);
  }

  async function untilQueued(url: string, cookie: string): Promise<void> {
    const outcomes = async () => {
      const unfinished = await fetch(`${url}/pos/unfinished`, { headers: { cookie } });
      const { lines } = (await unfinished.json()) as { lines: { outcome: string }[] };
      return lines.map(({ outcome }) => outcome);
    };
    await expect.poll(outcomes).toEqual(["STILL_SENDING"]);
  }

  async function answered(electron: ElectronStandIn, questions: number): Promise<void> {
    await expect.poll(() => electron.questions).toHaveLength(questions);
    await new Promise(setImmediate);
  }

  test("warns about an open shift: Stay is the default, and leaving needs a confirmation", async () => {
    const { electron, window } = await startWithShift();
    window.close();
    await answered(electron, 1);
    expect(electron.questions[0]).toMatchObject({
      message: "Hay turnos abiertos.",
      buttons: ["Mantener abierto", "Cerrar de todos modos"],
      defaultId: 0,
      cancelId: 0,
    });
    expect([window.isClosed, electron.exitCode]).toEqual([false, undefined]);

    electron.pressed = 1;
    electron.asElectron().app.quit();
    await electron.ended;
    expect(electron.exitCode).toBe(0);
  });

  test("keeps the window open while a sale is being sent, even if another sale only waits for its provider", async () => {
    const { electron, window, cookie } = await startWithShift();
    electron.pressed = 1;
    await sellTo(window.url, cookie, "+50251239004");
    await untilQueued(window.url, cookie);
    await sellTo(window.url, cookie, "+50251239007");
    window.close();
    window.close();
    await answered(electron, 1);
    expect(electron.questions[0]).toMatchObject({
      message: "Se están enviando ventas en este momento.",
      detail: expect.stringContaining("2 · Tigo +502 5123 9007"),
      buttons: ["Aceptar"],
    });
    expect(window.isClosed).toBe(false);
  });

  test("asks about a queued sale by name, and ends the app after a confirmation", async () => {
    const { electron, window, cookie } = await startWithShift();
    await sellTo(window.url, cookie, "+50251239004");
    await untilQueued(window.url, cookie);
    window.close();
    await answered(electron, 1);
    expect(electron.questions[0]?.message).toBe("Hay ventas que aún esperan su entrega.");
    expect(electron.questions[0]?.detail).toContain("1 · Tigo +502 5123 9004");
    electron.pressed = 1;
    window.close();
    await electron.ended;
    expect(electron.exitCode).toBe(0);
  });

  async function buyByKey(url: string, cookie: string): Promise<void> {
    const key = { environment: "test", name: "Web shop" };
    const made = await (await post(url, "/pos/keys", key, cookie)).json();
    const { secret } = made as { secret: string };
    const bought = await fetch(`${url}/v1/topups/purchases`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        offerId: "TIGO_GT_TOPUP_25",
        transactionId: randomUUID(),
        recipientPhoneNumber: "+50251239004",
      }),
    });
    expect(bought.status).toBe(200);
  }

  test("shows the number of unfinished purchases by API key in the confirmation question", {
    tags: ["thorough"],
  }, async () => {
    const { electron, window, cookie, shiftId } = await startWithShift();
    await buyByKey(window.url, cookie);
    window.close();
    await answered(electron, 1);
    expect(electron.questions[0]?.message).toBe("Hay turnos abiertos.");
    expect(electron.questions[0]?.detail).toContain("\nCompras en curso: 1\n\n");

    await post(window.url, `/pos/shifts/${shiftId}/close`, { counted: 0 }, cookie);
    window.close();
    await answered(electron, 2);
    expect(electron.questions[1]).toMatchObject({
      message: "Hay ventas de otros programas pendientes.",
      detail:
        "Compras en curso: 1\n\nCon Tillgate cerrado no se envía nada. El envío continúa cuando se vuelva a iniciar.",
      buttons: ["Mantener abierto", "Cerrar de todos modos"],
      cancelId: 0,
    });
    expect([window.isClosed, electron.exitCode]).toEqual([false, undefined]);
    // Integrators can buy at any hour. Their purchases must not prevent closing.
    electron.pressed = 1;
    window.close();
    await electron.ended;
    expect(electron.exitCode).toBe(0);
  });

  test("asks about an unsent sale of the page after all other questions", async () => {
    const electron = await start();
    const window = onlyWindow(electron);
    window.webContents.holdsUnload = true;
    window.close();
    await answered(electron, 1);
    expect(electron.questions[0]?.message).toBe("A paid sale has not been recorded yet.");
    expect(window.isClosed).toBe(false);
    electron.pressed = 1;
    window.close();
    await electron.ended;
  });
});

function post(url: string, path: string, body: object, cookie = "") {
  const headers = { "content-type": "application/json", cookie };
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("the lock-down of the window", () => {
  test("runs the page in a sandbox without Node", async () => {
    const { options } = onlyWindow(await start());

    expect(options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      devTools: false,
      additionalArguments: ["--tillgate-version=1.2.3"],
    });
  });

  test.each(["will-navigate", "will-redirect", "will-frame-navigate"])(
    "blocks %s to another origin",
    async (name) => {
      const { webContents, url } = onlyWindow(await start());
      const away = new PreventableEvent(FOREIGN);
      const files = new PreventableEvent("file:///etc/passwd");
      const script = new PreventableEvent("javascript:alert(1)");
      const nearby = new PreventableEvent("http://127.0.0.1:1/");
      const home = new PreventableEvent(`${url}/today`);

      for (const event of [away, files, script, nearby, home]) {
        webContents.emit(name, event);
      }

      expect([away, files, script, nearby].map(({ prevented }) => prevented)).toEqual(
        Array(4).fill(true),
      );
      expect(home.prevented).toBe(false);
    },
  );

  test("blocks second windows and webviews, even in web contents created later", async () => {
    const electron = await start();
    const later = new (electron.asElectron().BrowserWindow)({});
    expect(later).toBe(electron.windows[1]);

    for (const { webContents, url } of electron.windows) {
      expect(webContents.windowOpen?.({ url: `${url}/` })).toEqual({ action: "deny" });
      expect(webContents.windowOpen?.({ url: FOREIGN })).toEqual({ action: "deny" });
      const webview = new PreventableEvent();
      webContents.emit("will-attach-webview", webview);
      expect(webview.prevented).toBe(true);
    }
  });

  test("denies every permission", async () => {
    const { session } = await start();
    const answers: boolean[] = [];
    for (const permission of ["media", "geolocation", "notifications", "clipboard-read"]) {
      session.permissionRequest?.({}, permission, (yes) => answers.push(yes));
      answers.push(session.permissionCheck?.({}, permission) ?? true);
    }
    answers.push(session.deviceCheck?.({ deviceType: "usb" }) ?? true);

    expect(answers).toEqual(Array(9).fill(false));
  });

  test("blocks requests to other origins", async () => {
    const electron = await start();
    const { url } = onlyWindow(electron);
    const asked = [FOREIGN, "ws://example.com/", "file:///etc/passwd", "http://127.0.0.1:1/"];
    const ours = [`${url}/pos/status`, `blob:${url}/1`, "data:image/png;base64,AA=="];

    expect(asked.map((each) => isCancelled(electron, each))).toEqual(Array(4).fill(true));
    expect(ours.map((each) => isCancelled(electron, each))).toEqual(Array(3).fill(false));
  });

  test("adds a strict policy to every response, even if the response already has a policy", async () => {
    const { session } = await start();
    let headers: Record<string, string[]> | undefined;
    session.headersReceived?.(
      { responseHeaders: { "content-security-policy": ["default-src 'none'"], etag: ["1"] } },
      (response) => {
        headers = response.responseHeaders;
      },
    );

    const policies = headers?.["Content-Security-Policy"] ?? [];
    expect(headers).toMatchObject({ etag: ["1"] });
    expect(policies[0]).toBe("default-src 'none'");
    expect(policies[1]).toContain("default-src 'self'; script-src 'self';");
    expect(policies[1]).toContain("object-src 'none'; frame-src 'none'; frame-ancestors 'none'");
    expect(policies[1]).not.toContain("unsafe-eval");
    expect(policies[1]).not.toMatch(/https?:|script-src[^;]*unsafe-inline/);
  });

  test("accepts no invalid certificate", async () => {
    const electron = await start();

    expect(electron.app.listenerCount("certificate-error")).toBe(0);
    expect(electron.app.listenerCount("select-client-certificate")).toBe(0);
  });

  test("trusts a development server only in development and on this machine", async () => {
    const local = { devServerUrl: "http://127.0.0.1:5173" };
    const developing = await start(local);
    expect(onlyWindow(developing).url).toBe("http://127.0.0.1:5173");
    expect(isCancelled(developing, "ws://127.0.0.1:5173/")).toBe(false);
    expect(isCancelled(developing, FOREIGN)).toBe(true);
    developing.asElectron().app.quit();
    await developing.ended;

    const packaged = await start({ ...local, isPackaged: true });
    expect(onlyWindow(packaged).url).not.toContain(":5173");
    packaged.asElectron().app.quit();
    await packaged.ended;

    const elsewhere = await start({ devServerUrl: "http://example.com:5173" });
    expect(onlyWindow(elsewhere).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test("shows developer tools in the menu in development only", async () => {
    const plain = await start();
    expect(JSON.stringify(plain.menu)).not.toMatch(/toggleDevTools|reload/);
    plain.asElectron().app.quit();
    await plain.ended;

    const developing = await start({ devServerUrl: "http://localhost:5173" });
    expect(JSON.stringify(developing.menu)).toContain("toggleDevTools");
  });
});

describe("the page's IPC requests", () => {
  const options = { paperWidthMm: 80, paperHeightMm: 120 };

  test("print without a dialog on the default printer, on a page of the roll's width", async () => {
    const electron = await start();
    const { webContents, url } = onlyWindow(electron);
    const result = await electron.invoke("receipt:print", { url, parent: null }, options);

    expect(result).toEqual({ printed: true });
    expect(webContents.printed).toEqual([
      expect.objectContaining({
        silent: true,
        margins: { marginType: "none" },
        pageSize: { width: 80_000, height: 120_000 },
      }),
    ]);
  });

  test("print only on the chosen printer, with its driver's page size", async () => {
    const electron = await start();
    const { webContents, url } = onlyWindow(electron);
    const top = { url, parent: null };
    webContents.printers = [{ name: "receipts" }, { name: "POS_80", displayName: "POS 80" }];
    expect(await electron.invoke("printer:list", top)).toEqual([
      { name: "receipts", displayName: "receipts" },
      { name: "POS_80", displayName: "POS 80" },
    ]);
    const chosen = { ...options, deviceName: "POS_80", driverPage: true };
    expect(await electron.invoke("receipt:print", top, chosen)).toEqual({ printed: true });
    expect(webContents.printed).toEqual([
      expect.objectContaining({ deviceName: "POS_80", usePrinterDefaultPageSize: true }),
    ]);
    expect(webContents.printed[0]).not.toHaveProperty("pageSize");

    webContents.printers = [{ name: "receipts" }];
    expect(await electron.invoke("receipt:print", top, chosen)).toEqual({
      printed: false,
      reason: "NO_PRINTER",
    });
    expect(webContents.printed).toHaveLength(1);
  });

  test("return a printing failure as a result", async () => {
    const electron = await start();
    const { webContents, url } = onlyWindow(electron);
    const print = () => electron.invoke("receipt:print", { url, parent: null }, options);

    webContents.printFailure = "Print job failed";
    expect(await print()).toEqual({ printed: false, reason: "FAILED" });
    webContents.printFailure = "Print job canceled";
    expect(await print()).toEqual({ printed: false, reason: "CANCELLED" });
    webContents.printers = [];
    expect(await print()).toEqual({ printed: false, reason: "NO_PRINTER" });
    webContents.getPrintersAsync = () => Promise.reject(new Error("no spooler"));
    expect(await print()).toEqual({ printed: false, reason: "FAILED" });
  });

  test("fail from any frame other than the till's top frame", async () => {
    const electron = await start();
    const { webContents, url } = onlyWindow(electron);
    const top = { url, parent: null };

    for (const frame of [null, { url: FOREIGN, parent: null }, { url, parent: top }]) {
      await expect(electron.invoke("receipt:print", frame, options)).rejects.toThrow(
        "Only the till may ask this.",
      );
    }
    expect(webContents.printed).toEqual([]);
  });

  test("fail with invalid print options", async () => {
    const electron = await start();
    const { webContents, url } = onlyWindow(electron);

    for (const args of [
      [],
      [options, options],
      [undefined],
      ["80"],
      [{ ...options, paperWidthMm: 211 }],
      [{ ...options, paperWidthMm: "80" }],
      [{ paperWidthMm: 80 }],
      [{ ...options, paperHeightMm: 0 }],
      [{ ...options, paperHeightMm: 12.5 }],
      [{ ...options, paperHeightMm: 1e9 }],
      [{ ...options, deviceName: "" }],
      [{ ...options, driverPage: "yes" }],
      [{ ...options, copies: 2 }],
    ]) {
      const answer = electron.invoke("receipt:print", { url, parent: null }, ...args);
      await expect(answer, JSON.stringify(args)).rejects.toMatchObject({ name: "IpcRefusedError" });
    }
    await expect(
      electron.invoke("printer:list", { url, parent: null }, options),
    ).rejects.toMatchObject({ name: "IpcRefusedError" });
    expect(webContents.printed).toEqual([]);
  });
});

function isCancelled({ session }: ElectronStandIn, url: string): boolean | undefined {
  let cancelled: boolean | undefined;
  session.beforeRequest?.({ url }, (response) => {
    cancelled = response.cancel;
  });
  return cancelled;
}
