export { createPhoneLookupModule } from "./module.ts";
export { formatPhoneNumber, type PhoneDescription, PhoneService } from "./phone-service.ts";
