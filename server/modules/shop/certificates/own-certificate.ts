import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Log } from "../../../lib/log.ts";
import {
  CertificateError,
  type CertificateSource,
  type ServedCertificate,
} from "./certificate-files.ts";

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
