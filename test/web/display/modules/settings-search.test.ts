/** The search of the settings: in the words of the crew and in English, in each language. */
import { afterAll, expect, test } from "vitest";
import { formEntries } from "../../../../src/web/display/boat/entries.ts";
import { foundSettings } from "../../../../src/web/display/boat/settings-search.ts";
import { settings } from "../../../../src/web/display/data/settings.ts";
import { type LanguageName, languageNames, languageOf } from "../../../../src/web/display/languages/languages.ts";
import { said } from "../../../../src/web/display/languages/say.ts";
import { memberText } from "../../../../src/web/display/languages/setting-texts.ts";

const found = (typed: string) => {
  const { sections, elsewhere } = foundSettings(formEntries, typed);
  return [
    ...sections.flatMap(({ name, members }) => [name, ...members.map(({ title }) => title)]),
    ...elsewhere.map(({ href }) => href),
  ];
};

const standing = settings.value;
afterAll(() => {
  settings.value = standing;
});

async function speak(language: LanguageName): Promise<void> {
  const { load, loadSettings } = languageOf(language);
  const wanted = [(await load?.())?.["Limits of alarms"], (await loadSettings?.())?.["wind damping"]];
  settings.value = { ...settings.value, language };
  const isLoaded = (): boolean =>
    load === undefined || (said("Limits of alarms") === wanted[0] && memberText("windDamping") === wanted[1]);
  await expect.poll(isLoaded).toBe(true);
}

test.each(languageNames)("%s finds the section, the field and the alarm, as in English", async (language) => {
  await speak(language);
  const damping = memberText("windDamping");
  expect(found(damping.toUpperCase())).toContain("navigation");
  expect(found("wind damping").map((each) => each.toLowerCase())).toEqual(["navigation", damping.toLowerCase()]);
  for (const watch of ["Anchor", said("Anchor")]) expect(found(watch)).toContain("#/alarms/anchor");
  for (const word of ["Fathoms", said("Fathoms")]) expect(found(word)).toEqual(["#/settings"]);
  expect(found("flux capacitor")).toEqual([]);
});

/** Words that a crew types, and where they lead, in the order of `places`. */
const places = [
  ...["#/boat/networks", "#/boat/networks", "#/alarms", "navigation", "#/boat/charts", "#/boat/projects"],
  ...["#/boat/projects", "#/settings", "#/boat/version", "maintenance"],
];
test.each([
  ["en", "wifi, chart plotter, volume, declination, nautical chart, password, backup, time zone, update, impeller"],
  [
    "de",
    "WLAN, Kartenplotter, Lautstärke, Magnetabweichung, Seekarte, Passwort, Sicherung, Zeitzone, Update, Ölwechsel",
  ],
  ["fr", "wifi, traceur, volume, déclinaison, carte marine, mot de passe, sauvegarde, fuseau, mise à jour, vidange"],
  ["it", "wifi, plotter, volume, declinazione, carta nautica, password, backup, fuso orario, aggiornare, girante"],
  ["es", "wifi, plotter, volumen, declinación, carta náutica, contraseña, restaurar, huso horario, actualizar, rodete"],
  ["nl", "wifi, kaartplotter, volume, miswijzing, zeekaart, wachtwoord, back-up, tijdzone, update, olie verversen"],
] as const)("%s knows what a crew types, and leads to no alarm for it", async (language, typed) => {
  await speak(language);
  for (const [at, words] of typed.split(", ").entries()) {
    const led = found(words);
    expect(led, words).toContain(places[at]);
    expect(
      led.filter((place) => place.startsWith("#/alarms/")),
      words,
    ).toEqual([]);
  }
});
