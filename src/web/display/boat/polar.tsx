/** The polar of the boat, read from a file and kept in the settings; the laylines of the rose follow from it. */
import { polarOf, readPolar } from "../../../core/nav/polar.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { UploadButton } from "../parts/upload-button.tsx";
import { POLAR } from "../sailing/polar-entry.ts";
import { attempt } from "./actions.ts";
import { entryOf, saveEntry } from "./state.ts";

async function upload(file: File): Promise<void> {
  const curves = readPolar(await file.text());
  if (typeof curves === "string") {
    await attempt(async () => {
      throw new Error(
        say("{file} is not uploaded: {why}. Choose a polar of the ORC (csv with twa/tws) or of Expedition (pol).", {
          file: file.name,
          why: curves,
        }),
      );
    });
    return;
  }
  await saveEntry(
    POLAR,
    (entry) => ({ ...entry, title: file.name, curves }),
    say("{name}: saved in the project.", { name: file.name }),
  );
}

export function BoatPolar() {
  const { title, curves } = entryOf(POLAR);
  const polar = polarOf(curves);
  const winds = polar?.map(({ windSpeed }) => windSpeed) ?? [];
  return (
    <>
      <p class="hint">
        {polar === undefined
          ? say("None. With the polar of the boat the rose shows target angles and laylines, through the water.")
          : say("{title}: {count} wind speeds, {least} to {most} kn.", {
              title: String(title),
              count: winds.length,
              least: winds[0] ?? 0,
              most: winds.at(-1) ?? 0,
            })}
      </p>
      <div class="choices">
        <UploadButton accept=".pol,.csv,.txt,text/csv,text/plain" onFile={upload}>
          {say("Upload")}
        </UploadButton>
        {polar !== undefined && (
          <Button
            says="Remove"
            onClick={() =>
              void saveEntry(
                POLAR,
                ({ name }) => ({ name }),
                say("{name}: removed from the project.", { name: say("Polar") }),
              )
            }
          />
        )}
      </div>
    </>
  );
}
