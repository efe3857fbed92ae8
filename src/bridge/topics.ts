/** Names of the topics below a prefix. */

export interface Topics {
  readonly pgn: (address: number, pgn: number) => string;
  readonly infos: (address: number) => string;
  readonly interface: string;
  readonly devices: string;
  readonly navigation: string;
  readonly ais: string;
  readonly health: string;
  readonly alarms: string;
  readonly layouts: string;
  /** Commands to the alarms; `target` is an alarm, `all` or `anchorWatch`, or `+` for all of them. */
  readonly alarmCommand: (target: string) => string;
  /** A topic of a slow lane; `path` is what it repeats, below the prefix. */
  readonly lane: (seconds: number | string, path: string) => string;
}

export const topicsBelow = (prefix: string): Topics => ({
  pgn: (address, pgn) => `${prefix}/device/${address}/pgn/${pgn}`,
  infos: (address) => `${prefix}/device/${address}/infos`,
  interface: `${prefix}/interface`,
  devices: `${prefix}/devices`,
  navigation: `${prefix}/navigation`,
  ais: `${prefix}/ais`,
  health: `${prefix}/health`,
  alarms: `${prefix}/alarms`,
  layouts: `${prefix}/layouts`,
  alarmCommand: (target) => `${prefix}/alarms/${target}/set`,
  lane: (seconds, path) => `${prefix}/every/${seconds}/${path}`,
});
