/** The messages that the display reads, imported after the setting that their schemas need here. */
import "../without-eval.ts";

export {
  type DataOf,
  type Identity,
  type ReadTopic,
  readIdentity,
  readMessage,
} from "../../topics/read-message.ts";
