import "reflect-metadata";
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { DAY } from "../../../lib/clock.ts";
import { permittedNames } from "./permitted-names.ts";

/** Load this module on demand, because most gateways never listen on a network. */

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const NAME_CONSTRAINTS = "2.5.29.30";
const SERIAL_BYTES = 16;
const BEFORE_MS = DAY;

/** Certificate and key as PEM. */
export interface CertifiedKey {
  certificate: string;
  key: string;
}

interface Validity {
  now: number;
  life_ms: number;
}

/** @param key key of the authority to renew, so that devices also trust the renewed authority */
export async function makeAuthority(
  { name, machine, key }: { name: string; machine: readonly string[]; key?: string },
  { now, life_ms }: Validity,
): Promise<CertifiedKey> {
  const keys = key === undefined ? await newKeys() : await readKeys(key);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerial(),
      name: [{ CN: [name] }],
      notBefore: new Date(now - BEFORE_MS),
      notAfter: new Date(now + life_ms),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        new Extension(NAME_CONSTRAINTS, true, new Uint8Array(permittedNames(machine))),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return { certificate: certificate.toString("pem"), key: key ?? (await writeKey(keys)) };
}

/** @param names at least one */
export async function issueCertificate(
  authority: CertifiedKey,
  names: readonly string[],
  { now, life_ms }: Validity,
): Promise<CertifiedKey> {
  const keys = await newKeys();
  const issuer = new X509Certificate(authority.certificate);
  const signer = await readKeys(authority.key);
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerial(),
      subject: [{ CN: ["Tillgate"] }],
      issuer: issuer.subject,
      notBefore: new Date(now - BEFORE_MS),
      notAfter: new Date(now + life_ms),
      publicKey: keys.publicKey,
      signingKey: signer.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(
          names.map((value) => ({
            type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const),
            value,
          })),
        ),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
        await AuthorityKeyIdentifierExtension.create(signer.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return { certificate: certificate.toString("pem"), key: await writeKey(keys) };
}

function newSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

async function writeKey({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = await crypto.subtle.exportKey("pkcs8", privateKey);
  return PemConverter.encode(bytes, "PRIVATE KEY");
}

async function readKeys(pem: string): Promise<CryptoKeyPair> {
  const [bytes = new ArrayBuffer(0)] = PemConverter.decode(pem);
  const privateKey = await crypto.subtle.importKey("pkcs8", bytes, ALGORITHM, true, ["sign"]);
  const { d: _secret, key_ops: _uses, ...open } = await crypto.subtle.exportKey("jwk", privateKey);
  const publicKey = await crypto.subtle.importKey("jwk", open, ALGORITHM, true, ["verify"]);
  return { privateKey, publicKey };
}
