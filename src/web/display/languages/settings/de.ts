/** The texts of the settings in German. Its keys are what the schemas say in English. */
export const de = {
  "time constant of the wind's damping, seconds; 0 is none": "Zeitkonstante der Winddämpfung, {unit}; 0 ist keine",
  "MMSI of this boat, which is left out of the AIS report": "MMSI dieses Bootes, das im AIS-Bericht weggelassen wird",
  "names for devices, by NAME in decimal digits; the device's model without one":
    "Namen für Geräte, nach NAME in Dezimalziffern; ohne Namen das Modell des Geräts",
  "for each quantity the preferred devices, by NAME or by friendly name, the best first":
    "für jede Größe die bevorzugten Geräte, nach NAME oder Namen, das beste zuerst",
  "variation from the bus, or from the World Magnetic Model at the boat's position":
    "Missweisung vom Bus oder vom World Magnetic Model am Ort des Bootes",
  "the alarm is on": "der Alarm ist eingeschaltet",
  "seconds for which the limit has to be exceeded": "{unit}, für die die Grenze überschritten sein muss",
  "distance at the closest approach below which it rings, nautical miles":
    "Entfernung bei der nächsten Annäherung, unter der Alarm ist, {unit}",
  "time to the closest approach below which it rings, minutes":
    "Zeit bis zur nächsten Annäherung, unter der Alarm ist, {unit}",
  "time after which an acknowledged alarm sounds again while it lasts, minutes":
    "Zeit, nach der ein bestätigter Alarm wieder ertönt, solange er dauert, {unit}",
  "radius of the zone, nautical miles": "Radius der Zone, {unit}",
  "depth below which it rings, metres": "Tiefe, unter der Alarm ist, {unit}",
  "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset":
    "von wo Tiefe und Grenze gemessen werden; wie eingebaut: nach dem Versatz des Lots, wie Anzeigen sie zeigen; Oberfläche und Kiel brauchen diesen Versatz",
  "last depth below which it rings, metres": "letzte Tiefe, unter der Alarm ist, {unit}",
  "radius of an anchor watch that is set without one, metres":
    "Radius einer Ankerwache, die ohne Radius gesetzt wird, {unit}",
  "distance beyond what the boat can do, above which it rings, nautical miles":
    "Entfernung über das hinaus, was das Boot kann, ab der Alarm ist, {unit}",
  "distance by the speed of the boat, without a change of the position, above which it rings, nautical miles":
    "Strecke nach der Fahrt des Bootes, ohne dass die Position sich ändert, ab der Alarm ist, {unit}",
  "distance above which it rings, or more where their HDOP says so, metres":
    "Entfernung, ab der Alarm ist, oder mehr, wo ihre HDOP es sagt, {unit}",
  "temperature of the coolant above which it rings, degrees Celsius":
    "Temperatur des Kühlwassers, über der Alarm ist, {unit}",
  "oil pressure of a running engine below which it rings, kilopascals":
    "Öldruck eines laufenden Motors, unter dem Alarm ist, {unit}",
  "limits of the crew's own: each a number of a message, above or below which it rings":
    "eigene Grenzen der Besatzung: jede eine Zahl einer Nachricht, über oder unter der Alarm ist",
  "absent: the navigation report": "leer: der Navigationsbericht",
  "a number or a state of the message, as in `group.member` of the report; absent: the state of a switch":
    "eine Zahl oder ein Zustand der Nachricht, wie in `group.member` des Berichts; leer: der Zustand eines Schalters",
  "number of an indicator of PGN 127501, or the crew's name for it":
    "Nummer eines Schalters von PGN 127501 oder sein Name an Bord",
  "value of any key field; absent: all of them": "Wert eines Schlüsselfelds; leer: alle",
  "key fields with their values, which choose one of several: a tank by its number and its fluid":
    "Schlüsselfelder mit ihren Werten, die eines von mehreren wählen: einen Tank nach Nummer und Inhalt",
  "its NAME in decimal digits, the crew's name for it, or else its model; absent: all":
    "sein NAME in Dezimalziffern, sein Name an Bord oder sonst sein Modell; leer: alle",
  "it rings above": "Alarm darüber",
  "it rings below": "Alarm darunter",
  "it rings in this state: `On`, `Off`": "Alarm in diesem Zustand: `On`, `Off`",
  "for so long; absent: the delay of the alarm": "so lange; leer: die Verzögerung des Alarms",
  "time to the limit of the depth alarm below which it rings, seconds":
    "Zeit bis zur Grenze des Tiefenalarms, unter der Alarm ist, {unit}",
  "distance from the leg above which it rings, nautical miles": "Abstand von der Strecke, ab dem Alarm ist, {unit}",
  "change of the mean direction in 20 minutes above which it rings, degrees":
    "Änderung der mittleren Richtung in 20 Minuten, ab der Alarm ist, Grad",
  "true wind, else apparent wind, above which it rings, knots":
    "wahrer, sonst scheinbarer Wind, über dem Alarm ist, {unit}",
  "fall of the pressure in three hours above which it rings, hectopascals":
    "Fall des Luftdrucks in drei Stunden, ab dem Alarm ist, {unit}",
  "voltage of a battery of 12 V below which it rings; twice that for 24 V, volts":
    "Spannung einer 12-V-Batterie, unter der Alarm ist; das Doppelte bei 24 V, {unit}",
  "nominal voltages by the instance of the battery, where they are not received or measured wrongly":
    "Nennspannungen nach der Instanz der Batterie, wo sie nicht oder falsch empfangen werden",
  "voltage of a battery of 12 V above which it rings; twice that for 24 V, volts":
    "Spannung einer 12-V-Batterie, über der Alarm ist; das Doppelte bei 24 V, {unit}",
  "state of charge below which it rings, percent": "Ladezustand, unter dem Alarm ist, {unit}",
  "voltage of an AC input below which it rings, volts": "Spannung eines AC-Eingangs, unter der Alarm ist, {unit}",
  "free space of a disk below which it rings, megabytes": "freier Platz eines Speichers, unter dem Alarm ist, {unit}",
  "intervals in seconds; topics below every/<seconds>/ repeat the data so often at most":
    "Abstände in Sekunden; Topics unter every/<Sekunden>/ wiederholen die Daten höchstens so oft",
  "the lane that Home Assistant is pointed at, in seconds; 1 by default":
    "die Spur, auf die Home Assistant gewiesen wird, in Sekunden; sonst 1",
  "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default":
    "Sekunden, die der Broker eine Nachricht einer Spur mindestens behält, für eine abgetrennte Bridge; sonst drei Abstände",
  "smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report":
    "kleinste Änderung, die zählt, nach PGN und Feld (127508.voltageV) oder Feld des Navigationsberichts",
  "public PGNs that are published beside those of the document: all, or these":
    "öffentliche PGNs, die neben denen des Dokuments veröffentlicht werden: alle oder diese",
  navigation: "Navigation",
  names: "Namen",
  lanes: "Spuren",
  can: "PGNs",
  networks: "Netze",
  sensors: "Sensoren",
  "wind damping": "Winddämpfung",
  "own mmsi": "eigene MMSI",
  "friendly names": "Namen der Geräte",
  priority: "Vorrang",
  position: "Position",
  course: "Kurs über Grund",
  heading: "Steuerkurs",
  speed: "Fahrt",
  "rate of turn": "Drehgeschwindigkeit",
  variation: "Missweisung",
  leeway: "Abdrift",
  wind: "Wind",
  depth: "Tiefe",
  environment: "Temperatur und Luftdruck",
  date: "Datum und Zeit",
  enabled: "eingeschaltet",
  delay: "Verzögerung",
  limit: "Grenze",
  minutes: "Minuten",
  term: "Wiederholung",
  radius: "Radius",
  reference: "Bezug",
  rows: "Zeilen",
  id: "Kennung",
  pgn: "PGN",
  member: "Feld",
  switch: "Schalter",
  key: "Schlüssel",
  instance: "Instanz",
  device: "Gerät",
  above: "über",
  below: "unter",
  is: "ist",
  seconds: "Sekunden",
  severity: "Schwere",
  text: "Text",
  nominal: "Nennspannung",
  "home assistant": "Home Assistant",
  "message expiry sec": "Aufbewahrung der Nachrichten, s",
  "dead bands": "kleinste Änderungen",
  public: "öffentlich",
  auto: "auto",
  assumed: "angenommen",
  off: "aus",
  bus: "Bus",
  model: "Modell",
  emergency: "Notfall",
  alarm: "Alarm",
  warning: "Warnung",
  caution: "Vorsicht",
  alarms: "Alarme",
  "How each is decoded": "Wie jede gelesen wird",
} as const;
