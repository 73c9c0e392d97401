export { formatPhoneNumber, PhoneService } from "./phone-service.ts";
