/** The files of the options for the broker, which have to be read before the connection. */
import type { SecureContext } from "node:tls";
import { type Credentials, readCredentials } from "../../adapters/node/mqtt/credentials.ts";
import { readTlsFiles } from "../../adapters/node/tls-files.ts";
import type { BrokerSettings } from "./broker-options.ts";

interface BrokerFiles {
  readonly credentials?: Credentials | undefined;
  readonly secureContext?: SecureContext | undefined;
}

/** Throws an Error that names the file. */
export async function readBrokerFiles({ broker, credentials: path, tls }: BrokerSettings): Promise<BrokerFiles> {
  const read = (path: string): Promise<Credentials> =>
    readCredentials(path, process.env.CREDENTIALS_DIRECTORY).catch((error: Error) => {
      throw new Error(`--credentials: ${error.message}`, { cause: error });
    });
  const credentials = path === undefined ? undefined : await read(path);
  const secureContext = broker.secure ? await readTlsFiles(tls) : undefined;
  return { credentials, secureContext };
}
