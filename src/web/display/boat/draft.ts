/** The draft of a form: the stored value with the unsaved changes of the user. */
import { useEffect, useRef, useState } from "preact/hooks";
import { merged } from "./merge.ts";
import { type Entry, tellReplacing } from "./state.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * The draft of a stored value, a function that replaces it, and one to call when the user saves it. Unsaved changes stay
 * when the stored value changes, because others have changed it or an earlier draft was saved; what of both is a
 * change of the same is told, as one of the entry that `entryWith` makes of a value.
 */
export function useDraft<T extends Values>(
  value: T,
  entryWith: (value: T) => Entry,
): readonly [draft: T, set: (draft: T) => void, save: () => void] {
  const stored = JSON.stringify(value);
  const [draft, setDraft] = useState(value);
  const before = useRef(value);
  const saved = useRef<string | undefined>(undefined);
  useEffect(() => {
    const base = before.current;
    before.current = value;
    // Changes made while an earlier draft was being saved are changes to that draft, not to the value before it.
    const from = stored === saved.current ? value : base;
    if (from !== value) tellReplacing(entryWith(value), entryWith(from), entryWith(draft));
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
