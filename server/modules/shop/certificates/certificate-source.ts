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
