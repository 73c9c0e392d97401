export { isPermitted, machineNames } from "./permitted-names.ts";
export {
  CertificateError,
  type CertificateSource,
  OwnCertificate,
  readAuthority,
  ShopCertificate,
} from "./shop-certificate.ts";
