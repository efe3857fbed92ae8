/** A part of the page that may fail alone: the others continue, and it is tried again. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";

const RETRY_MS = 5000;

export function Boundary({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const [error, retry] = useErrorBoundary((thrown) => console.error(thrown));
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
  if (error === undefined) return <>{children}</>;
  return (
    <p class="nothing" role="alert" data-id="failed">
      {name} cannot be shown: {String((error as Partial<Error>)?.message ?? error)}. It is tried again every five
      seconds.
    </p>
  );
}
