/** Vitest's words on Deno's own test runner; deno.json puts them in Vitest's place. */
import { type PortableTest, vitestOver } from "../runtimes/vitest.ts";

declare const Deno: { test(definition: PortableTest): void };

export const { expect, onTestFinished, test } = vitestOver((each) => Deno.test(each));
