/** The contract of every BlobStore. */
import { expect, test } from "vitest";
import type { BlobStore } from "../../src/core/ports/blob-store.ts";
import { bytesOf, chunksOf } from "../support/chunks.ts";

export function blobStoreContract(name: string, open: () => Promise<BlobStore>): void {
  test(`${name}: bytes come back as they went, sorted by id, until they are removed`, async () => {
    const store = await open();
    expect([await store.list(), await store.read("a"), await store.remove("a")]).toEqual([[], undefined, false]);
    const content = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
    expect(await store.write("b", chunksOf(content))).toBe(300_000);
    await store.write("a", chunksOf(Uint8Array.of(1)));
    await store.write("a", chunksOf(Uint8Array.of(2)));
    expect(await store.list()).toEqual(["a", "b"]);
    expect(Buffer.compare((await bytesOf(await store.read("b")))!, content)).toBe(0);
    expect([...(await bytesOf(await store.read("a")))!]).toEqual([2]);
    expect([await store.remove("b"), await store.remove("b"), await store.list()]).toEqual([true, false, ["a"]]);
  });

  test(`${name}: chunks that fail leave what was there`, async () => {
    const store = await open();
    await store.write("a", chunksOf(Uint8Array.of(1)));
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(2);
      throw new Error("the client is gone");
    };
    await expect(store.write("a", failing())).rejects.toThrow("the client is gone");
    await expect(store.write("b", failing())).rejects.toThrow("the client is gone");
    expect(await store.list()).toEqual(["a"]);
    expect([...(await bytesOf(await store.read("a")))!]).toEqual([1]);
  });

  test(`${name}: writes at the same time leave one of them whole`, async () => {
    const store = await open();
    const contents = Array.from({ length: 8 }, (_, n) => new Uint8Array(200_000 + n).fill(n));
    await Promise.all(contents.map((content) => store.write("a", chunksOf(content))));
    const left = (await bytesOf(await store.read("a")))!;
    expect(Buffer.compare(left, contents[left.length - 200_000]!)).toBe(0);
  });
}
