/**
 * Codes of the lines at levels warn and error, for people who search the log and programs that watch it. A code stays
 * when its message is reworded. docs/errors.md has the meaning and the remedy of each.
 */
export const logCodes = [
  // All daemons that connect to a broker.
  "BROKER_AWAY",
  "BROKER_SLOW",
  "CLIENT_DISPLACED",
  // hub-cand: the bus.
  "INTERFACE_DOWN",
  "INTERFACE_UNUSABLE",
  "GATEWAY_AWAY",
  "NETWORK_FAILED",
  "RECEIVE_BUFFER_SMALL",
  "INTERFACE_UNREADABLE",
  "INTERFACE_SETUP",
  "BUS_OFF",
  "ERROR_PASSIVE",
  "NAME_TWICE",
  "NETWORK_LATE",
  "OUTLET_FAILED",
  "PART_FAILED",
  "NAME_TAKEN",
  "NO_ADDRESS",
  "LOSSES",
  "CLOCK_OFF",
  "DECODE_FAILED",
  "HOME_ASSISTANT_FULL",
  "LANES_FULL",
  "PUBLISH_REFUSED",
  "COMMAND_REFUSED",
  "COMMANDS_UNHEARD",
  // hub-cand: files and streams.
  "SETTINGS_UNUSABLE",
  "SETTING_IGNORED",
  "PUBLIC_PGNS_UNREADABLE",
  "RECORDING_UNREADABLE",
  "RECORDING_BROKEN_OFF",
  "RECORDING_EMPTY",
  "BESIDE_LIVE",
  "RECORDER_SLOW",
  "RECORDER_FAILED",
  "RECORDER_DISK_FULL",
  "STDOUT_GONE",
  "START_FAILED",
  // Programs with a service manager.
  "NOTIFY_FAILED",
  "NOT_WORKING",
  // hub-link; codes about clients: hub-cand too.
  "SUBSCRIPTION_REFUSED",
  "NOTHING_HEARD",
  "SENSORS_UNHEARD",
  "SENSOR_CLOCK",
  "MESSAGES_SKIPPED",
  "VALUES_LEFT_OUT",
  "CLIENT_SLOW",
  "CLIENTS_REFUSED",
  "DATAGRAM_FAILED",
  "LINK_TWICE",
  "TOKENS_UNREADABLE",
  "TOKENS_NOT_STORED",
  "RESOURCES_UNREADABLE",
  "RESOURCES_NOT_STORED",
  "FILE_SET_ASIDE",
  // hub-alarm.
  "ALARM_COMMAND_FAILED",
  // hub-history.
  "HISTORY_AWAY",
  "HISTORY_REFUSED",
  "HISTORY_DROPPED",
  "HISTORY_DISK",
  "HISTORY_CLOCK",
  "HISTORY_FAILED",
  "VOYAGES_NOT_KEPT",
  // hub-config-fetch.
  "FETCH_REFUSED",
  "FETCH_FAILED",
  "PROJECT_NOT_REMOVED",
  // hub-configd.
  "LEFTOVER_FILES",
  "STORAGE_FAILED",
  "BACKUP_FAILED",
  "OUT_OF_MEMORY",
  "INTERNAL_ERROR",
] as const;

export type LogCode = (typeof logCodes)[number];
