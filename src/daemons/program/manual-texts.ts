/** The texts of the manual pages. */
import { gatewayUrls } from "../../formats/gateway/table.ts";
import { hubAlarmOptions } from "../hub-alarm-options.ts";
import { hubCandOptions } from "../hub-cand-options.ts";
import { hubConfigBackupOptions } from "../hub-config-backup-options.ts";
import { hubConfigFetchOptions } from "../hub-config-fetch-options.ts";
import { hubConfigdOptions } from "../hub-configd-options.ts";
import { hubHistoryOptions } from "../hub-history-options.ts";
import { hubLinkOptions } from "../hub-link-options.ts";
import type { Manual, ManualItem } from "./manual.ts";

/** Signals of the daemons with the option --log-level. */
const signals: readonly ManualItem[] = [
  ["SIGTERM, SIGINT", "stop the program cleanly"],
  ["SIGUSR1, SIGUSR2", "make the log more verbose, or less verbose, by one level"],
];

/** The row of a bad option in a service, which systemd does not start again then (`RestartPreventExitStatus=`). */
const usageStatus: ManualItem = ["64", "the same of a bad option or value, when systemd has started the program"];

/** The row of a file that systemd hands to a unit whose user exists only while it runs. */
const credentialOf = (program: string): readonly [path: string, text: string] => [
  `/run/credentials/${program}.service/NAME`,
  "a file that root alone may read, such as that of --credentials, if a drop-in of the unit has LoadCredential=NAME:FILE; the user of the unit owns no files in /etc",
];

export const manuals: readonly Manual[] = [
  {
    name: "hub-configd",
    table: hubConfigdOptions,
    summary: "the boat's configuration service",
    description: [
      "Keeps the boat's projects as files and serves an HTTP API for them on 127.0.0.1; a reverse proxy publishes it under /api/config/. One project at a time is deployed, that is, copied to deploy.json, which the other programs on board read.",
      "It serves a console at /, which describes every endpoint and sends requests. It publishes its identity over MQTT (127.0.0.1:1883, topic app/config/info), and the report of hub-config-fetch (topic app/config/fetch).",
      "hub-config.service runs it as the user hub; before that, hub-config-perms.service makes this user the owner of the files.",
      "An unknown option prints the help and ends with 0; operands, such as a COMMAND, are ignored. The password of a project prevents accidental changes by the crew. It does not protect against an attacker, because its hash is part of the deployed configuration, which is public.",
    ],
    examples: [
      [
        "hub-configd -c ~/boat -p 12001 -v",
        "run beside the service, with the projects of another folder, and log every request",
      ],
      ["curl http://127.0.0.1:12000/project", "list the projects of the running service"],
      ["curl -X PUT http://127.0.0.1:12000/project/hull-42/deploy", "deploy one of them"],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, a clean stop"],
        ["1", "a folder is missing or not writable, the port is invalid or in use"],
      ],
      SIGNALS: [
        ["SIGTERM, SIGINT", "stop the program cleanly"],
        ["SIGUSR1, SIGUSR2", "switch --verbose on, or off"],
      ],
      ENVIRONMENT: [
        [
          "HUB_CONFIG_FOLDER",
          "Read by the units hub-config.service, hub-config-perms.service and hub-cand@.service, not by the programs: the configuration folder. One drop-in in /etc/systemd/system/hub-.service.d changes it for all units; it also needs ReadWritePaths=, as in /usr/share/doc/hub-config/examples/folder.conf.",
        ],
      ],
      FILES: [
        ["/etc/hub/configuration/ID.json", "a project"],
        ["/etc/hub/deploy.json", "the deployed configuration"],
        ["/etc/hub/apps/ID", "the data of an application"],
        ["/etc/hub/deployments", "copies of what was deployed, the newest thirty"],
        ["/var/lib/hub-display/charts", "the boat's own charts"],
        ["/usr/share/hub-config/templates/ID.json", "read-only projects to be copied; none is shipped"],
        [
          "/etc/nginx/snippets/hub-config-api.conf, hub-config-deploy.conf, hub-mqtt.conf",
          "snippets for the site of the proxy",
        ],
      ],
      "SEE ALSO": ["hub-config-backup(8), hub-config-fetch(8), hub-cand(8), systemctl(1)"],
    },
  },
  {
    name: "hub-config-backup",
    table: hubConfigBackupOptions,
    summary: "keep the last versions of the deployed configuration",
    description: [
      "Copies /etc/hub/deploy.json to /etc/hub/backup if it differs from the newest copy, and keeps the newest thirty copies. Without a deployed configuration it does nothing. Arguments other than its options are ignored; hub-config-backup.timer runs it once a day, or as soon as the boat is switched on again. Several runs at the same time do not disturb each other.",
      "To restore a copy, send it to hub-configd as a project and deploy the project: use the page Boat of the display, or PUT /project/ID/restore and PUT /project/ID/deploy.",
    ],
    examples: [
      ["systemctl start hub-config-backup", "make a copy now, as the user hub"],
      ["hub-config-backup --version", "print the version; nothing is copied"],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, copied, nothing to copy, or nothing deployed"],
        ["1", "a failure, with one line on standard error"],
      ],
      FILES: [
        ["/etc/hub/backup/deploy.json-YYYY-MM-DD_HH-MM-SS", "a copy, by local time"],
        ["/etc/hub/backup/last_backup", "a link to the newest copy"],
      ],
      "SEE ALSO": ["hub-configd(8), systemd.timer(5)"],
    },
  },
  {
    name: "hub-config-fetch",
    table: hubConfigFetchOptions,
    summary: "deploy releases that the fleet has signed for this boat",
    description: [
      "Asks a web server for a release, a project that is signed for the boats of a channel, and deploys it through hub-configd if its version is newer than the last. It refuses and reports anything else: a wrong signature, an incomplete file, another channel, an older version. The project of a version is stored as fetched-CHANNEL-VERSION; the project of the version before is kept, and a project that was changed on board is neither overwritten nor removed.",
      "It is off by default. hub-config-fetch.timer runs it every hour, once it is enabled and the public key of the fleet is in /etc/hub-config-fetch.pem. hub-configd reports the result of the last run by GET /health and on the topic app/config/fetch.",
      "A release is made with openssl(1). The signed text begins with three lines and an empty one; the project follows, as GET /project/ID/backup gives it:",
      ["Hub-Config: 1", "the format"],
      ["Channel: NAME", "1 to 32 letters, digits and hyphens"],
      ["Version: NUMBER", "a whole number of at most 15 digits, larger than that of every release before"],
      "The release is the 64 bytes of the Ed25519 signature, followed by the signed text.",
    ],
    examples: [
      [
        "hub-config-fetch --url https://fleet.example/hull-42.release --channel hull-42",
        "fetch the release of a boat; the unit does so with these options in /etc/default/hub-config-fetch",
      ],
      ["systemctl enable --now hub-config-fetch.timer", "ask for the release every hour"],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, deployed, or nothing new"],
        ["1", "a bad option or value, a file that cannot be used, or a release that is refused"],
        usageStatus,
        ["75", "the server or hub-configd is away, or the state cannot be written; the next run tries again"],
      ],
      FILES: [
        ["/etc/hub-config-fetch.pem", "public keys of the fleet; more than one while it changes its key"],
        ["/etc/default/hub-config-fetch", "options of the unit"],
        [
          "/var/lib/hub-config-fetch/state-CHANNEL.json",
          "the last version; without this file an older version would be taken",
        ],
        ["/var/lib/hub-config-fetch/report.json", "the result of the last run"],
      ],
      "SEE ALSO": ["hub-configd(8), openssl-pkeyutl(1ssl), systemd.timer(5)"],
    },
  },
  {
    name: "hub-cand",
    table: hubCandOptions,
    summary: "from an NMEA 2000 bus to JSON over MQTT",
    description: [
      "Listens to a SocketCAN interface, or to a gateway (--source), and publishes every message of every device as JSON, together with reports derived from them: the devices on the bus, navigation, the ships around, alarms. It never sends a frame unless started with --node.",
      "It waits for an interface, a gateway or a broker that is not available.",
      "hub-cand@IF.service runs it for the interface IF, with the options of /etc/default/hub-cand-IF; hub-cand@can0 is enabled by the package. Another instance also needs two lines of its own in the broker's access control list. The package sets up no interface: /usr/share/doc/hub-cand/examples/80-can0.network does.",
    ],
    examples: [
      ["hub-cand -i can0 --stdout", "print the messages on can0 as JSON lines, without a broker"],
      ["hub-cand --source yd-raw+tcp://192.168.4.1:1457", "listen to a gateway; the topics are below can/can0"],
      ["hub-cand -i can0 --also can1", "publish two buses of the boat as one"],
      ["hub-cand --replay trip.log.gz --speed 10", "publish a recording, ten times as fast"],
      [
        "hub-cand --simulate --broker mqtts://broker.example --credentials broker.json",
        "publish a simulated voyage to another broker",
      ],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, a clean stop, the end of a replay"],
        ["1", "a bad option or value, a file that cannot be read, an addon that does not load, a port in use"],
        usageStatus,
      ],
      SIGNALS: signals,
      GATEWAYS: [
        "hub-cand disconnects from a gateway that is lost, silent or not understood, and tries again; a gateway never ends the program. The topic interface tells the reason.",
        ...gatewayUrls.map(({ form, gateway }) => [form, gateway.title] as const),
      ],
      FILES: [
        ["/etc/default/hub-cand-IF", "HUB_CAND_OPTIONS, the options of the unit"],
        ["/etc/hub/deploy.json", "the deployed configuration; its settings are read"],
        ["/var/lib/hub-cand/IF", "the folder that the unit may write to, for --record"],
        [
          "/usr/share/doc/hub-cand/examples/serial-gateway.conf",
          "lets one instance open serial ports, for a gateway; its first lines say how to install it",
        ],
        ["/usr/share/hub-cand/schemas", "a JSON Schema of every message"],
        ["/usr/share/doc/hub-cand/pgns.md.gz, asyncapi.json.gz", "the fields of each PGN and topic"],
      ],
      "SEE ALSO": ["hub-configd(8), hub-link(8), hub-history(8), candump(1), systemd.network(5), mosquitto.conf(5)"],
    },
  },
  {
    name: "hub-link",
    table: hubLinkOptions,
    summary: "serve the boat's data to chart plotters and apps",
    description: [
      "Reads the topics that hub-cand publishes and serves NMEA 0183 over TCP and by UDP, and Signal K over HTTP and WebSockets. Without an option for any of them it serves NMEA 0183 on 127.0.0.1:10110 and Signal K on 127.0.0.1:3000. All clients get the sources that hub-cand has chosen. Nothing that a client sends reaches the bus. A client of Signal K may ask for access, which the broker shows to the crew; if the crew allows it, the answers of the client to alarms go to the broker too.",
      "It waits for a broker that is not available. A client that reads too slowly is dropped, and does not delay the others.",
    ],
    examples: [
      ["hub-link --nmea0183 0.0.0.0:10110 --signalk 0.0.0.0:3000", "serve the network of the boat"],
      ["hub-link --nmea0183-udp 192.168.4.255:10110", "send NMEA 0183 to all of that network"],
      ["hub-link --prefix can/boat", "serve the bus of another instance of hub-cand"],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, a clean stop"],
        ["1", "a bad option or value, a file that cannot be read, a port or a folder in use"],
        usageStatus,
      ],
      SIGNALS: signals,
      FILES: [
        ["/etc/default/hub-link", "HUB_LINK_OPTIONS, the options of hub-link.service"],
        credentialOf("hub-link"),
        ["/var/lib/hub-link", "tokens, resources and course of Signal K"],
        ["/etc/nginx/snippets/hub-signalk.conf", "Signal K for the site of the proxy"],
        [
          "/usr/share/doc/hub-link/examples/hub-link.avahi",
          "announces the server by mDNS, so that apps find it; its first lines say how to install it",
        ],
      ],
      "SEE ALSO": ["hub-cand(8), mosquitto.conf(5)"],
    },
  },
  {
    name: "hub-alarm",
    table: hubAlarmOptions,
    summary: "run a command while an alarm has no answer",
    description: [
      "Reads the alarms that hub-cand publishes. When an alarm or emergency has sounded for 30 seconds without an answer, the command runs: a sound, a relay with a horn, a message ashore. A second after its end it runs again. When the alarm is silenced, acknowledged or over, the command and its child processes get SIGTERM, and SIGKILL a second later.",
      "The command also runs when hub-cand or the broker has gone, unless the boat is at a berth that the crew has given: 30 seconds after hub-cand has announced its end, or a minute and a half after its last report, until the boat is watched again. Without any report since its start, also one that the broker has retained, hub-alarm does not run the command.",
      "hub-alarm.service is off by default. Its sandbox permits the sound cards and GPIO lines of the machine, and the private network; it can read files, and write them only in /tmp.",
    ],
    examples: [
      ["hub-alarm --command /usr/lib/hub-link/alarm-sound", "play a tone at full volume at each sound card"],
      ["hub-alarm --command 'gpioset -c gpiochip0 17=1'", "close a relay until the alarm is answered"],
      [
        "hub-alarm --command 'espeak-ng \"$HUB_ALARM_TITLE\"'",
        "speak its title; the quotation marks are needed, because texts come from the bus and by radio",
      ],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, a clean stop"],
        ["1", "a bad option or value, a file that cannot be read"],
        usageStatus,
      ],
      SIGNALS: signals,
      ENVIRONMENT: [
        [
          "HUB_ALARM_ID, HUB_ALARM_SEVERITY, HUB_ALARM_TITLE, HUB_ALARM_TEXT",
          "Given to the command: the most dangerous alarm without an answer, as in the report of the alarms. The id is watch if hub-cand or the broker has gone.",
        ],
      ],
      FILES: [
        [
          "/etc/default/hub-alarm",
          "HUB_ALARM_COMMAND and HUB_ALARM_OPTIONS, the command and the other options of hub-alarm.service",
        ],
        credentialOf("hub-alarm"),
      ],
      "SEE ALSO": ["hub-cand(8), aplay(1), gpioset(1)"],
    },
  },
  {
    name: "hub-history",
    table: hubHistoryOptions,
    summary: "write the boat's data to a time series engine",
    description: [
      "Reads a slow lane that hub-cand publishes and writes it to VictoriaMetrics, InfluxDB, QuestDB or Telegraf as line protocol over HTTP. hub-cand publishes the lane if its settings or its option --lanes name it. With --voyages it keeps the track and the log book of each voyage as files, also without an engine.",
      "It waits for a broker that is not available. While the engine is away, points are written to a bounded queue on disk, at once and then every minute, and sent in order when it is back. The log counts dropped points.",
    ],
    examples: [
      ["hub-history --lane 60 --queue ~/points", "write the lane of one minute to VictoriaMetrics on this machine"],
      [
        "hub-history -u http://influx.example:8086/write?db=boat --authorization influx.token",
        "write the lane of ten seconds to InfluxDB",
      ],
    ],
    sections: {
      "EXIT STATUS": [
        ["0", "help, version, a clean stop"],
        [
          "1",
          "a bad option or value, a file that cannot be read, a folder that cannot be made, a port or a folder in use",
        ],
        usageStatus,
      ],
      SIGNALS: signals,
      FILES: [
        ["/etc/default/hub-history", "HUB_HISTORY_OPTIONS, the options of hub-history.service"],
        credentialOf("hub-history"),
        ["/var/lib/hub-history", "points that the engine has not taken yet"],
        ["/var/lib/hub-history/voyages", "the folder for --voyages of the unit"],
        [
          "/etc/nginx/snippets/hub-history.conf, hub-history-voyages.conf",
          "history and voyages for the site of the proxy, as the display reads them",
        ],
        [
          "/usr/share/doc/hub-history/examples/victoria-metrics.conf",
          "VictoriaMetrics for the history; its first lines say how to install it",
        ],
      ],
      "SEE ALSO": ["hub-cand(8)"],
    },
  },
];
