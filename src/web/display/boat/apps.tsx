/** Apps that ask to answer alarms by Signal K, and those that may; without a login, like all of this page. */
import type { AccessAnswer } from "../../../core/report/link-access.ts";
import type { AccessReport } from "../../../core/topics/read-message.ts";
import { linkAnswer } from "../../../core/topics/topics.ts";
import { publish } from "../data/connection.ts";
import { secondTick } from "../data/frame-tick.ts";
import { store } from "../data/store.ts";
import { momentText } from "../instruments/moments.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";

/** The address of a request that came through no network, in the words of hub-link. */
const HERE = "this computer";

type Holder = AccessReport["holders"][number];

const answer = (id: string, given: AccessAnswer): void => publish(linkAnswer(id), given);

/** Whether an app that asks has asked before, by the names that it gives itself: another app may give the same. */
function knownAs({ clientId, description }: Holder, holders: readonly Holder[]): string | undefined {
  if (holders.some((holder) => holder.clientId === clientId))
    return say("asks again: Allow ends the access that it has");
  const isNamed = holders.some((holder) => holder.description === description);
  return isNamed ? say("asks again, or is another app of that name") : undefined;
}

/** An app by the names that it gives itself. */
function App({
  app,
  address,
  known,
  answers,
}: {
  readonly app: Holder;
  readonly address?: string;
  readonly known?: string | undefined;
  readonly answers: readonly (readonly [text: PlainText, answer: AccessAnswer])[];
}) {
  const { id, clientId, description, permissions, at } = app;
  return (
    <li>
      <span>
        <b>{description}</b>
        <small>
          {[
            known,
            permissions === "readonly" ? say("reads only") : say("answers alarms"),
            address && (address === HERE ? say("from this computer") : say("from {address}", { address })),
            momentText(at),
            clientId,
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </span>
      <span class="actions">
        {answers.map(([text, given]) => (
          <Button
            says={text}
            key={given}
            aria-label={`${say(text)} ${description}`}
            onClick={() => answer(id, given)}
          />
        ))}
      </span>
    </li>
  );
}

export function BoatApps() {
  void secondTick.value;
  const access = store.course === null ? undefined : store.access;
  const { requests, holders } = access ?? { requests: [], holders: [] };
  return (
    <>
      <section data-id="app-requests">
        <h2>{say("Apps that ask for access")}</h2>
        <p class="hint">
          {access === undefined
            ? say("hub-link is off, or keeps no access.")
            : say(
                "Every app on board may read Signal K. Allow only apps that you have just told to ask: they may then answer alarms.",
              )}
        </p>
        {access !== undefined && requests.length === 0 && <p>{say("No app asks.")}</p>}
        <ul class="app-list">
          {requests.map((app) => (
            <App
              key={app.id}
              app={app}
              address={app.address}
              known={knownAs(app, holders)}
              answers={[
                ["Allow", "approve"],
                ["Refuse", "deny"],
              ]}
            />
          ))}
        </ul>
      </section>
      {holders.length > 0 && (
        <section data-id="app-holders">
          <h2>{say("Apps that have access")}</h2>
          <ul class="app-list">
            {holders.map((app) => (
              <App key={app.id} app={app} answers={[["Take back", "revoke"]]} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
