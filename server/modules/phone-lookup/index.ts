export { formatPhoneNumber, type PhoneDescription, PhoneService } from "./phone-service.ts";
