/**
 * Runs a bundle of the packaged program with what V8 made of it at an earlier start. Node keeps what it compiles as it
 * reads a file: the functions that are compiled when they are first called are not in that, and a start calls thousands.
 * What is kept here has them. It stands where Node keeps the other bundles', if anywhere.
 */
import { channel } from "node:diagnostics_channel";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { STARTED } from "./started.ts";

const HEAD_BYTES = 8;
const ENDING = ".kept";

/** As Node wraps what it requires. */
type Body = (
  module: { exports: unknown },
  exports: unknown,
  require: unknown,
  filename: string,
  directory: string,
) => void;

/**
 * @param module what the bundle's exports are put into
 * @param require finds what it needs, from where it stands
 * @param file the bundle, in ASCII
 * @param dir where that is kept; undefined for nowhere
 */
export function runKept(
  module: { exports: unknown },
  require: unknown,
  file: string,
  dir: string | undefined = getCompileCacheDir(),
): void {
  const bytes = readFileSync(file);
  const ofBundle = crc32(bytes);
  const kept = dir === undefined ? undefined : join(dir, `${basename(file)}${ENDING}`);
  const cachedData = kept === undefined ? undefined : readKept(kept, ofBundle);
  const script = new Script(
    `(function (module, exports, require, __filename, __dirname) {${bytes.toString("latin1")}\n})`,
    { filename: file, ...(cachedData && { cachedData }) },
  );
  if (kept !== undefined && (!cachedData || script.cachedDataRejected)) {
    keepOnceStarted(script, kept, ofBundle);
  }
  const body = script.runInThisContext() as Body;
  body(module, module.exports, require, file, dirname(file));
}

/** undefined where there is nothing, or not what was made of this very bundle. */
function readKept(file: string, ofBundle: number): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const data = bytes.subarray(HEAD_BYTES);
    const isWhole = bytes.readUInt32LE(0) === ofBundle && bytes.readUInt32LE(4) === crc32(data);
    return isWhole ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Once a gateway has started: by then what a start calls is compiled, and little else. */
function keepOnceStarted(script: Script, file: string, ofBundle: number): void {
  const started = channel(STARTED);
  started.subscribe(keep);
  function keep(): void {
    started.unsubscribe(keep);
    const fresh = `${file}.${process.pid}`;
    try {
      const data = script.createCachedData();
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(ofBundle, 0);
      head.writeUInt32LE(crc32(data), 4);
      forgetOthers(dirname(file));
      writeFileSync(fresh, Buffer.concat([head, data]), { mode: 0o600 });
      renameSync(fresh, file);
    } catch {
      // A directory that cannot be written costs nothing but time.
      rmSync(fresh, { force: true });
    }
  }
}

/** What was kept of the version before, or begun and not completed. */
function forgetOthers(dir: string): void {
  for (const name of readdirSync(dir)) if (name.includes(ENDING)) rmSync(join(dir, name));
}
