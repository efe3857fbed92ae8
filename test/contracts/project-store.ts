/** The contract of every ProjectStore. */
import { expect, test } from "vitest";
import type { ProjectStore } from "../../src/core/ports/project-store.ts";
import type { Pieces } from "../../src/core/util/bytes.ts";

export interface StoreUnderTest {
  readonly store: ProjectStore;
  /** Puts a template where the store finds it. */
  addTemplate(id: string, bytes: Uint8Array): Promise<void>;
  /** The bytes set aside for an id. */
  setAsideBytes(id: string): Promise<Uint8Array | undefined>;
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (text: string): Pieces => [encoded(text)];

export function projectStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  const read = async (store: ProjectStore, id: string): Promise<string | undefined> => {
    const stored = await store.read(id);
    return stored && `${stored.template ? "template " : ""}${Buffer.concat(stored.bytes).toString()}`;
  };

  test(`${name}: an empty store has no projects and nothing deployed`, async () => {
    const { store } = await open();
    expect(await store.list()).toEqual([]);
    expect(await store.read("a")).toBeUndefined();
    expect(await store.deployed()).toBeUndefined();
  });

  test(`${name}: what is saved is read, replaced and removed`, async () => {
    const { store } = await open();
    const saved = ["o", "", "ne"].map(encoded);
    await store.save("a", saved);
    expect((await store.read("a"))?.bytes).toBe(saved);
    expect(await read(store, "a")).toBe("one");
    await store.save("a", bytes("two"));
    await store.save("b", []);
    expect([await read(store, "a"), await read(store, "b")]).toEqual(["two", ""]);
    await store.remove("a");
    expect(await store.read("a")).toBeUndefined();
    expect(await store.list()).toEqual([{ id: "b", template: false }]);
  });

  test(`${name}: bytes come back as they went, whatever they are and however many`, async () => {
    const { store } = await open();
    for (const length of [0, 1, 255, 65_536, 131_072, 131_073, 3_000_000]) {
      const content = Uint8Array.from({ length }, (_, at) => (at * 31) % 256);
      const half = length >> 1;
      await store.save("a", [content.subarray(0, half), content.subarray(half)]);
      expect(Buffer.compare(Buffer.concat((await store.read("a"))!.bytes), content)).toBe(0);
    }
  });

  test(`${name}: sizes are known without reading`, async () => {
    const { store, addTemplate } = await open();
    const sizes = () => Promise.all([store.size({ id: "a" }), store.size({ id: "b" }), store.size("deployed")]);
    expect(await sizes()).toEqual([undefined, undefined, undefined]);
    const none = (await store.size("all"))!;
    await store.save("a", bytes("12345"));
    await addTemplate("b", encoded("123"));
    await store.deploy(encoded("1234567"));
    expect(await sizes()).toEqual([5, 3, 7]);
    await store.save("b", bytes("1"));
    expect(await sizes()).toEqual([5, 1, 7]);
    expect((await store.size("all"))! - none).toBeGreaterThanOrEqual(6);
  });

  test(`${name}: the list is sorted, and a project hides the template of its id`, async () => {
    const { store, addTemplate } = await open();
    await addTemplate("b", encoded("template b"));
    await addTemplate("d", encoded("template d"));
    for (const id of ["c", "B", "a", "d", "10", "9", "a-"]) await store.save(id, bytes(id));
    expect((await store.list()).map(({ id, template }) => (template ? `${id} template` : id))).toEqual([
      ...["10", "9", "B", "a", "a-", "b template", "c", "d"],
    ]);
    expect([await read(store, "b"), await read(store, "d")]).toEqual(["template template b", "d"]);
    await store.remove("d");
    expect(await read(store, "d")).toBe("template template d");
  });

  test(`${name}: rename moves the bytes`, async () => {
    const { store } = await open();
    await store.save("a", bytes("x"));
    await store.rename("a", "b");
    expect([await read(store, "a"), await read(store, "b")]).toEqual([undefined, "x"]);
  });

  test(`${name}: what is set aside leaves the list, and of each id the latest is kept`, async () => {
    const { store, setAsideBytes } = await open();
    for (const text of ["first", "second"]) {
      await store.save("a", bytes(text));
      await store.setAside("a");
    }
    expect(await store.list()).toEqual([]);
    expect(Buffer.from((await setAsideBytes("a"))!).toString()).toBe("second");
  });

  test(`${name}: what is kept aside stays in its place too, and of each id the latest is kept`, async () => {
    const { store, setAsideBytes } = await open();
    for (const text of ["first", "second"]) {
      await store.save("a", bytes(text));
      await store.keepAside("a");
      await store.keepAside("a");
      expect(await read(store, "a")).toBe(text);
    }
    await store.save("a", bytes("third"));
    expect(await store.list()).toEqual([{ id: "a", template: false }]);
    expect(Buffer.from((await setAsideBytes("a"))!).toString()).toBe("second");
  });

  test(`${name}: what is deployed stays until something else is`, async () => {
    const { store } = await open();
    await store.deploy(encoded("one"));
    await store.deploy(encoded("two"));
    expect(Buffer.from((await store.deployed())!).toString()).toBe("two");
    expect(await store.list()).toEqual([]);
  });

  test(`${name}: each deployed version is copied, the newest thirty are kept`, async () => {
    const { store } = await open();
    const copies = async (): Promise<string[]> => {
      const names = (await store.backups()).map(({ name }) => name);
      expect(await Promise.all(names.map((backup) => store.size({ backup })))).toEqual(
        (await store.backups()).map(({ bytes }) => bytes),
      );
      return Promise.all(names.map(async (name) => Buffer.from((await store.backup(name))!).toString()));
    };
    await store.keepBackup();
    expect(await copies()).toEqual([]);
    const versions = Array.from({ length: 32 }, (_, n) => `version ${n}`);
    for (const version of versions) {
      await store.deploy(encoded(version));
      await store.keepBackup();
      await store.keepBackup();
    }
    expect(await copies()).toEqual(versions.slice(-30).reverse());
    expect(await store.size({ backup: "2026-11-21_00-00-00" })).toBeUndefined();
  });

  test(`${name}: what is not there cannot be moved, and the store says so as the system does`, async () => {
    const { store } = await open();
    await store.save("b", bytes("b"));
    for (const attempt of [
      () => store.rename("a", "c"),
      () => store.remove("a"),
      () => store.setAside("a"),
      () => store.keepAside("a"),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        name: "SystemError",
        errno: 2,
        code: "ENOENT",
        message: "no such file or directory",
      });
    }
    expect(await store.list()).toEqual([{ id: "b", template: false }]);
  });
}
