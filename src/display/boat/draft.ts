/** What is typed over a stored value, and is not saved yet. */
import { useEffect, useRef, useState } from "preact/hooks";
import { merged } from "./merge.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * A draft of a stored value, a function that replaces it, and one to call when it is saved. What is typed stays while
 * the value changes below it, by others or because an earlier draft was saved.
 */
export function useDraft<T extends Values>(value: T): readonly [draft: T, set: (draft: T) => void, save: () => void] {
  const stored = JSON.stringify(value);
  const [draft, setDraft] = useState(value);
  const before = useRef(value);
  const saved = useRef<string | undefined>(undefined);
  useEffect(() => {
    const base = before.current;
    before.current = value;
    // What was typed while the draft was saved is over it, not over the value before.
    const from = stored === saved.current ? value : base;
    setDraft((typed) => merged(value, from, typed) as T);
  }, [stored]);
  return [
    draft,
    setDraft,
    () => {
      saved.current = JSON.stringify(merged(value, value, draft));
    },
  ];
}
