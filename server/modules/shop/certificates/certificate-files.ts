import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { type Static, Type } from "typebox";
import { findJson } from "../../../lib/checked-json.ts";
import type { Log } from "../../../lib/log.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";

/** Error if no certificate can be served. The message tells the owner the reason and the remedy. */
export class CertificateError extends Error {}

/** Certificate and private key as PEM. */
export interface ServedCertificate {
  cert: string;
  key: string;
}

export interface CertificateSource {
  /**
   * Returns the present certificate. Returns the same object until the certificate changes.
   * @throws CertificateError if there is no usable certificate
   */
  current(): Promise<ServedCertificate>;
  /**
   * Returns the certificate authority that devices must trust, as PEM; undefined if devices trust
   * the issuer already.
   */
  authority(): string | undefined;
}

const OWNER_ONLY = { directory: 0o700, file: 0o600 };

const KeptCertificate = Type.Object({
  certificate: Type.String(),
  keySealed: Type.String(),
  names: Type.Array(Type.String()),
});
export type KeptCertificate = Static<typeof KeptCertificate>;

type CertificateKind = "authority" | "server";

export function certificateFile(dataDir: string, kept: CertificateKind): string {
  return join(dataDir, "tls", `${kept}.json`);
}

export async function readCertificate(
  dataDir: string,
  kept: CertificateKind,
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
  kept: CertificateKind,
  content: KeptCertificate,
): Promise<void> {
  await mkdir(join(dataDir, "tls"), { recursive: true, mode: OWNER_ONLY.directory });
  const text = JSON.stringify(content, null, 2);
  await writeFileWhole(certificateFile(dataDir, kept), text, OWNER_ONLY.file);
}

/** Returns the shop's authority as PEM; undefined before it is created. */
export async function readAuthority(dataDir: string): Promise<string | undefined> {
  const kept = await readCertificate(dataDir, "authority");
  return kept === undefined || kept === "damaged" ? undefined : kept.certificate;
}

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/**
 * A certificate that the owner provides. Reads it at every request, because another program renews
 * it.
 */
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

  /** Returns the previous certificate while the files are unusable, for example partly written. */
  async current(): Promise<ServedCertificate> {
    try {
      const read = await this.#read();
      if (read.cert !== this.#served?.cert || read.key !== this.#served.key) this.#served = read;
    } catch (error) {
      if (!this.#served || !(error instanceof CertificateError)) throw error;
      this.#log.warn(
        { reason: error.message },
        "the new certificate cannot be used; the previous one is still served",
      );
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
    throw new CertificateError(`${option}: ${file} contains no usable PEM.`);
  }
}
