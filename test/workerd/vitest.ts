/** Vitest's words where nothing runs tests: they are collected, for a worker to run them. */
import { type PortableTest, vitestOver } from "../runtimes/vitest.ts";

export const collected: PortableTest[] = [];

export const { expect, onTestFinished, test } = vitestOver((each) => void collected.push(each));
