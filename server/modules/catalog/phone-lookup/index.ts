export { createPhoneLookupModule } from "./module.ts";
export {
  canonicalNumber,
  formatPhoneNumber,
  type PhoneDescription,
  PhoneService,
} from "./phone-service.ts";
