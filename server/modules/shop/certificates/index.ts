export { CertificateError, type CertificateSource, readAuthority } from "./certificate-files.ts";
export { OwnCertificate } from "./own-certificate.ts";
export { isPermitted, machineNames } from "./permitted-names.ts";
export { ShopCertificate } from "./shop-certificate.ts";
