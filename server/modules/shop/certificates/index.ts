import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { type Static, Type } from "typebox";
import { findJson } from "../../../lib/checked-json.ts";
import { DAY } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { SealError } from "../../../lib/sealer.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";
import type { Base } from "../../module.ts";
import { isBareName, isPermitted } from "./permitted-names.ts";
import type { CertifiedKey } from "./sign.ts";

/** Validity of a certificate. Phones and browsers refuse more than 825 days. */
const SERVER_LIFE_MS = 90 * DAY;
/** Validity of the authority: long, because each device must be configured to trust a new one. */
const AUTHORITY_LIFE_MS = 3_650 * DAY;
/**
 * Fraction of the validity after which a certificate is renewed: early enough for a machine that is
 * off for a month.
 */
const RENEWED_AFTER = 2 / 3;

interface ShopCertificateDeps extends Pick<Base, "sealer" | "clock" | "log"> {
  dataDir: string;
  readNames: () => string[];
}

interface OpenedCertificate extends CertifiedKey {
  names: readonly string[];
}

/**
 * The shop's own certificate authority, and this machine's certificate. Both are created at first
 * use. The certificate is reissued after two thirds of its validity, and when the machine's names
 * or addresses change (rules#access-network-tls).
 */
export class ShopCertificate implements CertificateSource {
  readonly #deps: ShopCertificateDeps;
  #authority: OpenedCertificate | undefined;
  #server: OpenedCertificate | undefined;
  #served: ServedCertificate | undefined;

  constructor(deps: ShopCertificateDeps) {
    this.#deps = deps;
  }

  authority(): string | undefined {
    return this.#authority?.certificate;
  }

  async current(): Promise<ServedCertificate> {
    const authority = await this.#getAuthority();
    const names = this.#deps
      .readNames()
      .filter((name) => isPermitted(name, authority.names))
      .toSorted();
    this.#server ??= await this.#openServer();
    if (this.#server && this.#isGood(this.#server, authority, names)) {
      return this.#serve(this.#server);
    }
    const { issueCertificate } = await import("./sign.ts");
    const issued = await issueCertificate(authority, names, this.#getLifetime(SERVER_LIFE_MS));
    this.#server = { ...issued, names };
    await this.#store("server", this.#server);
    this.#deps.log.info({ names }, "issued a server certificate");
    return this.#serve(this.#server);
  }

  #serve({ certificate: cert, key }: OpenedCertificate): ServedCertificate {
    if (this.#served?.cert !== cert) this.#served = { cert, key };
    return this.#served;
  }

  #isGood(
    server: OpenedCertificate,
    authority: OpenedCertificate,
    names: readonly string[],
  ): boolean {
    if (server.names.join() !== names.join() || this.#isOld(server)) return false;
    const issuer = new X509Certificate(authority.certificate);
    return new X509Certificate(server.certificate).verify(issuer.publicKey);
  }

  async #getAuthority(): Promise<OpenedCertificate> {
    this.#authority ??= await this.#openAuthority();
    if (this.#authority && !this.#isOld(this.#authority)) return this.#authority;
    const before = this.#authority;
    const { makeAuthority } = await import("./sign.ts");
    const machine = before?.names ?? this.#deps.readNames().filter(isBareName);
    const name = before ? readCommonName(before.certificate) : "Tillgate authority of this shop";
    const made = await makeAuthority(
      { name, machine, ...(before && { key: before.key }) },
      this.#getLifetime(AUTHORITY_LIFE_MS),
    );
    this.#authority = { ...made, names: machine };
    await this.#store("authority", this.#authority);
    return this.#authority;
  }

  /**
   * Opens the authority. Does not replace an unreadable one, because every device would have to be
   * configured again.
   * @throws CertificateError if the authority is unreadable
   */
  async #openAuthority(): Promise<OpenedCertificate | undefined> {
    const { dataDir } = this.#deps;
    const kept = await readCertificate(dataDir, "authority");
    if (kept === undefined) return undefined;
    try {
      if (kept !== "damaged") return this.#open(kept);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
    throw new CertificateError(
      `The shop's certificate authority cannot be read (${certificateFile(dataDir, "authority")}). ` +
        "Put it back from a copy with secrets.key, or delete it: then another is made, which each device has to be told to trust.",
    );
  }

  /**
   * Opens the server certificate. Returns undefined if it is unreadable, because it can be replaced
   * without a change on the devices.
   */
  async #openServer(): Promise<OpenedCertificate | undefined> {
    const kept = await readCertificate(this.#deps.dataDir, "server");
    if (kept === undefined || kept === "damaged") return undefined;
    try {
      return this.#open(kept);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  #open({ certificate, keySealed, names }: KeptCertificate): OpenedCertificate {
    return { certificate, key: this.#deps.sealer.open(keySealed), names };
  }

  #store(
    what: "authority" | "server",
    { certificate, key, names }: OpenedCertificate,
  ): Promise<void> {
    const { dataDir, sealer } = this.#deps;
    const keySealed = sealer.seal(key);
    return writeCertificate(dataDir, what, { certificate, keySealed, names: [...names] });
  }

  #getLifetime(life_ms: number): { now: number; life_ms: number } {
    return { now: this.#deps.clock.now(), life_ms };
  }

  /**
   * Returns whether a certificate must be renewed. True also if the clock was set back to before
   * its validity.
   */
  #isOld({ certificate }: OpenedCertificate): boolean {
    const { validFrom, validTo } = new X509Certificate(certificate);
    const from = Date.parse(validFrom);
    const renewAt = from + (Date.parse(validTo) - from) * RENEWED_AFTER;
    const now = this.#deps.clock.now();
    return now < from || now >= renewAt;
  }
}

function readCommonName(certificate: string): string {
  return new X509Certificate(certificate).subject.replace(/^CN=/, "");
}

/** Error if no certificate can be served. The message tells the owner the reason and the remedy. */
export class CertificateError extends Error {}

/** Certificate and private key as PEM. */
interface ServedCertificate {
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
type KeptCertificate = Static<typeof KeptCertificate>;

type CertificateKind = "authority" | "server";

function certificateFile(dataDir: string, kept: CertificateKind): string {
  return join(dataDir, "tls", `${kept}.json`);
}

async function readCertificate(
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

async function writeCertificate(
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

interface CertificateFiles {
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

export { isPermitted, machineNames } from "./permitted-names.ts";
