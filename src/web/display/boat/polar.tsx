/** The polar of the boat, read from a file and kept in the settings; the laylines of the rose follow from it. */
import { polarOf, readPolar } from "../../../core/nav/polar.ts";
import { POLAR } from "../sailing/polar-entry.ts";
import { attempt } from "./actions.ts";
import { entryOf, saveEntry } from "./state.ts";
import { UploadButton } from "./upload-button.tsx";

async function upload(file: File): Promise<void> {
  const curves = readPolar(await file.text());
  if (typeof curves === "string") {
    await attempt(async () => {
      throw new Error(
        `${file.name} is not uploaded: ${curves}. Choose a polar of the ORC (csv with twa/tws) or of Expedition (pol).`,
      );
    });
    return;
  }
  await saveEntry(POLAR, (entry) => ({ ...entry, title: file.name, curves }), `Polar ${file.name}.`);
}

export function BoatPolar() {
  const { title, curves } = entryOf(POLAR);
  const polar = polarOf(curves);
  const winds = polar?.map(({ windSpeed }) => windSpeed) ?? [];
  return (
    <>
      <p class="hint">
        {polar === undefined
          ? "None. With the polar of the boat the rose shows target angles and laylines, through the water."
          : `${String(title)}: ${winds.length} wind speeds, ${winds[0]} to ${winds.at(-1)} kn.`}
      </p>
      <div class="choices">
        <UploadButton accept=".pol,.csv,.txt,text/csv,text/plain" onFile={upload}>
          Upload a polar
        </UploadButton>
        {polar !== undefined && (
          <button type="button" onClick={() => void saveEntry(POLAR, ({ name }) => ({ name }), "Polar removed.")}>
            Remove
          </button>
        )}
      </div>
    </>
  );
}
