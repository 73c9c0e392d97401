export { readAuthority } from "./certificate-files.ts";
export { CertificateError, type CertificateSource } from "./certificate-source.ts";
export { machineNames } from "./machine-names.ts";
export { OwnCertificate } from "./own-certificate.ts";
export { isPermitted } from "./permitted-names.ts";
export { ShopCertificate } from "./shop-certificate.ts";
