/** The messages that the display reads, imported after the setting that their schemas need here. */
import "./without-eval.ts";

export {
  type AccessReport,
  type DataOf,
  type Identity,
  type ReadTopic,
  readAccess,
  readIdentity,
  readMessage,
} from "../../../core/topics/read-message.ts";
