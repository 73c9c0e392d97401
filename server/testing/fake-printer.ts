import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export type PrinterManner =
  /** Answers status requests and accepts everything. */
  | "well"
  /** Accepts everything without an answer, like a simple print server. */
  | "silent"
  | "out-of-paper"
  | "cover-open"
  /** Answers the first request. After that, it neither reads nor answers. */
  | "hangs"
  /** Reports that it is ready before the receipt, and out of paper after it. */
  | "runs-out"
  /** Sends a greeting, and its state without being asked (automatic status back). */
  | "talkative"
  /** Answers only when the test releases an answer. */
  | "slow";

/** Point of a receipt at which the printer stops until the test calls `goOn`. */
type Standstill = "BEFORE" | "MIDDLE" | "AFTER_CUT";

/** Behaviour of a stopped printer on `goOn`. SILENCE: the printer never reacts again. */
type AfterStandstill = "CLOSE" | "RESET" | "PAPER_END" | "SILENCE" | "CONTINUE";

export interface FakePrinter {
  readonly host: string;
  readonly port: number;
  manner: PrinterManner;
  /** Accepts only one connection at a time, as most printers do. */
  takesOne: boolean;
  stopAt: Standstill | undefined;
  readonly isStopped: boolean;
  /** Continues a stopped printer, which prints all bytes that it has read. */
  goOn(how: AfterStandstill): void;
  readonly held: (() => void)[];
  readonly received: Buffer[];
  close(): Promise<void>;
}

const WELL = 0b0001_0010;
/**
 * Data that no request caused: ESC/POS's automatic status (four bytes), and a print server's text.
 */
const UNASKED = [0x10, 0x00, 0x00, 0x00, ...Buffer.from("OK\r\n")];
const COVER_OPEN = WELL | 0b0000_0100;
const PAPER_END = WELL | 0b0110_0000;

export async function startFakePrinter(manner: PrinterManner = "well"): Promise<FakePrinter> {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  let stopped: ((how: AfterStandstill) => void) | undefined;
  let isClosed = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (printer.takesOne) {
      server.close();
      socket.on("close", () => {
        if (!isClosed) server.listen(printer.port, host);
      });
    }
    if (printer.stopAt) {
      const at = printer.stopAt;
      printer.stopAt = undefined;
      stopPrinting(socket, { at, paper: received.push(Buffer.alloc(0)) - 1 });
      return;
    }
    const at = received.push(Buffer.alloc(0)) - 1;
    const reader = new StatusQuestionReader();
    let questions = 0;
    socket.on("data", (chunk: Buffer) => {
      const { data, asked } = reader.read(chunk);
      received[at] = Buffer.concat([received[at]!, data]);
      for (const question of asked) {
        questions += 1;
        const answer = answerTo(question, printer.manner, questions > 2);
        if (answer === undefined) continue;
        const unasked = printer.manner === "talkative" ? UNASKED : [];
        const write = () => socket.write(Buffer.from([...unasked, answer, ...unasked]));
        if (printer.manner === "slow") printer.held.push(write);
        else write();
      }
      if (printer.manner === "hangs" && questions > 0) socket.pause();
    });
  });

  function stopPrinting(socket: Socket, { at, paper }: { at: Standstill; paper: number }): void {
    const reader = new StatusQuestionReader();
    let unread: number[] = [];
    let how: AfterStandstill | "STOPPED" | undefined;
    const stop = () => {
      how = "STOPPED";
      stopped = (next) => {
        stopped = undefined;
        how = next;
        if (next === "CLOSE") socket.end();
        else if (next === "RESET") socket.resetAndDestroy();
        else work();
      };
    };
    const work = () => {
      const isAlive = () => how === undefined || how === "CONTINUE" || how === "PAPER_END";
      while (unread.length > 0 && isAlive()) {
        const [byte = 0, ...rest] = unread;
        unread = rest;
        const { data, asked } = reader.read(Buffer.from([byte]));
        if (how !== "PAPER_END") received[paper] = Buffer.concat([received[paper]!, data]);
        for (const question of asked) {
          const manner = how === "PAPER_END" ? "out-of-paper" : "well";
          const answer = answerTo(question, manner, false) ?? WELL;
          if (socket.writable) socket.write(Buffer.from([answer]));
        }
        if (how === undefined && isReached(at, received[paper]!)) stop();
      }
    };
    if (at === "BEFORE") stop();
    socket.on("data", (chunk: Buffer) => {
      unread.push(...chunk);
      work();
    });
  }

  const host = await listenAsPrinter(server);
  const printer: FakePrinter = {
    host,
    port: (server.address() as AddressInfo).port,
    manner,
    takesOne: false,
    stopAt: undefined,
    get isStopped() {
      return stopped !== undefined;
    },
    held: [],
    goOn: (how) => stopped?.(how),
    received,
    async close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
  return printer;
}

const MIDDLE_BYTES = 40;
const CUT = Buffer.from([0x1d, 0x56]);

function isReached(at: Standstill, paper: Buffer): boolean {
  return at === "MIDDLE" ? paper.length >= MIDDLE_BYTES : paper.subarray(-3, -1).equals(CUT);
}

const PORT = 9100;

/** Listens on the standard printer port, at a loopback address that no other test uses. */
async function listenAsPrinter(server: Server): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const [a, b, c] = Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 250));
    // Some systems have only one loopback address.
    const host = process.platform === "linux" ? `127.${a}.${b}.${c}` : "127.0.0.1";
    const listening = Promise.race([
      once(server, "listening").then(() => true),
      once(server, "error").then(() => false),
    ]);
    server.listen(process.platform === "linux" ? PORT : PORT + (tries % 10), host);
    if (await listening) return host;
  }
  throw new Error("no address is free for a printer");
}

const DLE = 0x10;
const EOT = 0x04;
/** The command GS v 0. A mode, a width in bytes and a height in rows follow. */
const PICTURE = [0x1d, 0x76, 0x30];
const PICTURE_HEADER_BYTES = 8;

/**
 * Removes status requests (DLE EOT n) from a stream. Skips pictures, whose dots may equal a status
 * request.
 */
class StatusQuestionReader {
  #unread: number[] = [];
  #pictureBytesLeft = 0;

  read(chunk: Buffer): { data: Buffer; asked: number[] } {
    const bytes = [...this.#unread, ...chunk];
    const asked: number[] = [];
    const data: number[] = [];
    let at = 0;
    while (at < bytes.length) {
      const size = this.#sizeOfNext(bytes, at);
      if (at + size > bytes.length) break;
      const next = bytes.slice(at, at + size);
      if (next[0] === DLE && size > 1) asked.push(next[2] ?? 0);
      else data.push(...next);
      at += size;
    }
    this.#unread = bytes.slice(at);
    return { data: Buffer.from(data), asked };
  }

  #sizeOfNext(bytes: readonly number[], at: number): number {
    if (this.#pictureBytesLeft > 0) {
      this.#pictureBytesLeft -= 1;
      return 1;
    }
    if (bytes[at] === DLE && (bytes[at + 1] ?? EOT) === EOT) return 3;
    if (!PICTURE.every((byte, index) => (bytes[at + index] ?? byte) === byte)) return 1;
    const [xLow = 0, xHigh = 0, yLow = 0, yHigh = 0] = bytes.slice(at + 4, at + 8);
    if (at + PICTURE_HEADER_BYTES <= bytes.length) {
      this.#pictureBytesLeft = (xLow + 256 * xHigh) * (yLow + 256 * yHigh);
    }
    return PICTURE_HEADER_BYTES;
  }
}

function answerTo(question: number, manner: PrinterManner, isAfter: boolean): number | undefined {
  const isPaper = question === 4;
  switch (manner) {
    case "silent":
      return undefined;
    case "out-of-paper":
      return isPaper ? PAPER_END : WELL;
    case "runs-out":
      return isPaper && isAfter ? PAPER_END : WELL;
    case "cover-open":
      return isPaper ? WELL : COVER_OPEN;
    default:
      return WELL;
  }
}
