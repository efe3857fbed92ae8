/** The sentences of findings in the language and the units of the crew. */
import { afterEach, expect, test, vi } from "vitest";
import { degrees, depthOf, duration, english, inKnots, sentence } from "../../../../src/core/text/sentence.ts";
import { measuredText } from "../../../../src/web/display/bus/finding-words.ts";
import { settings } from "../../../../src/web/display/data/settings.ts";
import { say } from "../../../../src/web/display/languages/say.ts";
import { sentenceText } from "../../../../src/web/display/languages/sentence-text.ts";

const standing = settings.peek();
afterEach(() => {
  settings.value = standing;
});

async function speak(language: "de" | "en", units: Partial<typeof standing.units> = {}): Promise<void> {
  settings.value = { ...standing, language, units: { ...standing.units, ...units } };
  await vi.waitFor(() => expect(say("Findings")).toBe(language === "de" ? "Befunde" : "Findings"), { timeout: 60_000 });
}

const names = ["Sounder (35)", "Log (36)"];
const depths = sentence`${names}: ${depthOf(3.04)} and ${depthOf(5)}`;
const silent = sentence`${["A", "B", "C"]} have been silent for ${duration(5 * 86_400_000)}`;
const speeds = sentence`${"Log (36)"} measures ${inKnots(0.12)} through the water, at ${inKnots(6)} over ground`;
const interval = sentence`${"Vessel Heading"} of ${"Compass (4)"} comes every ${duration(250)}; ${duration(100)} is usual`;
const headings = sentence`${names}: their headings are ${degrees(170.4)} apart`;

test.each([
  [depths, "Sounder (35) and Log (36): 3 m and 5 m"],
  [silent, "A, B and C have been silent for 5 days"],
  [speeds, "Log (36) measures 0.1 knots through the water, at 6 knots over ground"],
  [interval, "Vessel Heading of Compass (4) comes every 0.25 s; 0.1 s is usual"],
  [headings, "Sounder (35) and Log (36): their headings are 170\u00b0 apart"],
])("English of the report: %j", (said, words) => {
  expect(english(said)).toBe(words);
});

test("the crew's language has its own numbers, lists and days", async () => {
  await speak("de");
  expect([depths, silent, interval, headings].map(sentenceText)).toEqual([
    "Sounder (35) und Log (36): 3,0\u202fm und 5,0\u202fm",
    "A, B und C schweigen: 5\u202fTg.",
    "Vessel Heading von Compass (4) kommt alle 0,25 s; \u00fcblich sind 0,1 s",
    "Sounder (35) und Log (36): ihre Steuerkurse liegen 170\u00b0 auseinander",
  ]);
});

test("depths and speeds are in the units of the crew", async () => {
  await speak("en", { depth: "ft" });
  expect(sentenceText(depths)).toBe("Sounder (35) and Log (36): 9.8\u202fft and 16.4\u202fft");
});

test("a further network is named, and what an older hub-cand says stays as it is", async () => {
  await speak("de");
  const measured = "Nothing was heard yet";
  expect(measuredText({ measured, sentence: sentence`Nothing was heard yet`, network: "can1" })).toBe(
    "Noch wurde nichts geh\u00f6rt (Netz can1)",
  );
  expect(measuredText({ measured })).toBe(measured);
});
