/** A button that takes a file, any number of times the same one, in words of the display: those of a browser are in its own language. */
import type { ComponentChildren } from "preact";

interface UploadProps {
  /** As in HTML; absent: every file. */
  readonly accept?: string;
  readonly onFile: (file: File) => unknown;
  readonly children: ComponentChildren;
}

export const UploadButton = ({ accept, onFile, children }: UploadProps) => (
  <label class="button">
    {children}
    <input
      type="file"
      accept={accept}
      class="spoken"
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        event.currentTarget.value = "";
        if (file !== undefined) onFile(file);
      }}
    />
  </label>
);
