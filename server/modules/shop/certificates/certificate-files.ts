import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { type Static, Type } from "typebox";
import { findJson } from "../../../lib/checked-json.ts";
import type { Log } from "../../../lib/log.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";

/** Why no certificate can be served, and what to do, in words for the owner. Holds no secret. */
export class CertificateError extends Error {}

/** What a listener serves, as PEM. */
export interface ServedCertificate {
  /** With those between it and its authority, if there are any. */
  cert: string;
  key: string;
}

/** Where a listener's certificate comes from. */
export interface CertificateSource {
  /**
   * The certificate to serve from now on; the same object for as long as nothing changed.
   * @throws CertificateError where there is none
   */
  current(): Promise<ServedCertificate>;
  /** The authority that devices have to be told to trust, as PEM; undefined for one that they know. */
  authority(): string | undefined;
}

const OWNER_ONLY = { directory: 0o700, file: 0o600 };

/** A certificate with its key, which is sealed as the keys of providers are. */
const KeptCertificate = Type.Object({
  certificate: Type.String(),
  keySealed: Type.String(),
  /** The names that the machine had. */
  names: Type.Array(Type.String()),
});
export type KeptCertificate = Static<typeof KeptCertificate>;

type Kept = "authority" | "server";

/** The folder of the shop's certificates, in the data directory. */
export function certificateFile(dataDir: string, kept: Kept): string {
  return join(dataDir, "tls", `${kept}.json`);
}

/** What is kept; undefined where there is none, and where a file was damaged: "damaged". */
export async function readCertificate(
  dataDir: string,
  kept: Kept,
): Promise<KeptCertificate | "damaged" | undefined> {
  try {
    const text = await readFile(certificateFile(dataDir, kept), "utf8");
    return findJson(KeptCertificate, text) ?? "damaged";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function writeCertificate(
  dataDir: string,
  kept: Kept,
  content: KeptCertificate,
): Promise<void> {
  await mkdir(join(dataDir, "tls"), { recursive: true, mode: OWNER_ONLY.directory });
  const text = JSON.stringify(content, null, 2);
  await writeFileWhole(certificateFile(dataDir, kept), text, OWNER_ONLY.file);
}

/** The authority that devices are to trust, as PEM; undefined where none was made yet. */
export async function readAuthority(dataDir: string): Promise<string | undefined> {
  const kept = await readCertificate(dataDir, "authority");
  return kept === undefined || kept === "damaged" ? undefined : kept.certificate;
}

/** The files of a certificate of the owner's own. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** A certificate of the owner's own, read again whenever it is asked for: others renew it. */
export class OwnCertificate implements CertificateSource {
  readonly #files: CertificateFiles;
  readonly #log: Log;
  #served: ServedCertificate | undefined;

  constructor(files: CertificateFiles, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  authority(): undefined {
    return undefined;
  }

  /** One that cannot be used while another is served is told in the log: it may be half written. */
  async current(): Promise<ServedCertificate> {
    try {
      const read = await this.#read();
      if (read.cert !== this.#served?.cert || read.key !== this.#served.key) this.#served = read;
    } catch (error) {
      if (!this.#served || !(error instanceof CertificateError)) throw error;
      this.#log.warn({ reason: error.message }, "the certificate before is served");
    }
    return this.#served;
  }

  async #read(): Promise<ServedCertificate> {
    const { certFile, keyFile } = this.#files;
    const cert = await readText("--tls-cert (TILLGATE_TLS_CERT)", certFile);
    const key = await readText("--tls-key (TILLGATE_TLS_KEY)", keyFile);
    const certificate = understand("--tls-cert", certFile, () => new X509Certificate(cert));
    const secret = understand("--tls-key", keyFile, () => createPrivateKey(key));
    if (!certificate.checkPrivateKey(secret)) {
      throw new CertificateError(`--tls-key: ${keyFile} is not the key of ${certFile}.`);
    }
    understand("--tls-cert", certFile, () => createSecureContext({ cert, key }));
    return { cert, key };
  }
}

async function readText(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CertificateError(`${option}: ${file} cannot be read (${code}).`);
  }
}

function understand<Value>(option: string, file: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new CertificateError(`${option}: ${file} holds none that can be used, as PEM.`);
  }
}
