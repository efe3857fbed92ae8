/** The mark beside a value with an alarm, which works without colour too. */
import { said, say } from "../languages/say.ts";
import { Icon } from "../parts/icon.tsx";
import type { ActiveAlarm } from "./alarms.ts";

export function AlarmMark({ alarm }: { readonly alarm: ActiveAlarm | undefined }) {
  if (alarm === undefined) return null;
  return (
    <span class="alarm-mark" data-id={`mark-${alarm.id}`}>
      <span class="spoken">{say("Alarm: {title}.", { title: said(alarm.title) })}</span>
      <Icon d="M12 2L23 22H1ZM12 9V15M12 18V19.500" />
    </span>
  );
}
