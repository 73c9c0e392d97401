export {
  CertificateError,
  type CertificateSource,
  OwnCertificate,
  readAuthority,
} from "./certificate-files.ts";
export { isPermitted, machineNames } from "./permitted-names.ts";
export { ShopCertificate } from "./shop-certificate.ts";
