/** The texts of the settings in Dutch. */
import type { SettingCatalogue } from "../texts.ts";

export const nl: SettingCatalogue = {
  "time constant of the wind's damping, seconds; 0 is none": "tijdconstante van de winddemping, {unit}; 0 is geen",
  "MMSI of this boat, which is left out of the AIS report":
    "MMSI van deze boot, die uit het AIS-rapport wordt weggelaten",
  "names for devices, by NAME in decimal digits; the device's model without one":
    "namen van apparaten, op NAME in decimale cijfers; zonder naam het model van het apparaat",
  "for each quantity the preferred devices, by NAME or by friendly name, the best first":
    "voor elke grootheid de apparaten met voorrang, op NAME of op naam, het beste eerst",
  "variation from the bus, or from the World Magnetic Model at the boat's position":
    "variatie van de bus, of van het World Magnetic Model op de positie van de boot",
  "the alarm is on": "het alarm staat aan",
  "seconds for which the limit has to be exceeded": "tijd gedurende welke de grens overschreden moet zijn, {unit}",
  "distance at the closest approach below which it rings, nautical miles":
    "afstand bij de dichtste nadering waaronder het klinkt, {unit}",
  "time to the closest approach below which it rings, minutes":
    "tijd tot de dichtste nadering waaronder het klinkt, {unit}",
  "time after which an acknowledged alarm sounds again while it lasts, minutes":
    "tijd waarna een bevestigd alarm opnieuw klinkt zolang het duurt, {unit}",
  "radius of the zone, nautical miles": "straal van de zone, {unit}",
  "depth below which it rings, metres": "diepte waaronder het klinkt, {unit}",
  "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset":
    "vanwaar diepte en grens gemeten worden; zoals ingebouwd: volgens de offset van de dieptemeter, zoals schermen haar tonen; oppervlak en kiel hebben die offset nodig",
  "last depth below which it rings, metres": "laatste diepte waaronder het klinkt, {unit}",
  "radius of an anchor watch that is set without one, metres":
    "straal van een ankerwacht die zonder straal wordt gezet, {unit}",
  "distance beyond what the boat can do, above which it rings, nautical miles":
    "afstand boven wat de boot kan, waarboven het klinkt, {unit}",
  "distance by the speed of the boat, without a change of the position, above which it rings, nautical miles":
    "afstand naar de vaart van de boot, zonder dat de positie verandert, waarboven het klinkt, {unit}",
  "distance above which it rings, or more where their HDOP says so, metres":
    "afstand waarboven het klinkt, of meer als hun HDOP dat zegt, {unit}",
  "temperature of the coolant above which it rings, degrees Celsius":
    "temperatuur van het koelwater waarboven het klinkt, {unit}",
  "oil pressure of a running engine below which it rings, kilopascals":
    "oliedruk van een draaiende motor waaronder het klinkt, {unit}",
  "limits of the crew's own: each a number of a message, above or below which it rings":
    "eigen grenzen van de bemanning: elk een getal van een bericht waarboven of waaronder het klinkt",
  "absent: the navigation report": "leeg: het navigatierapport",
  "a number or a state of the message, as in `group.member` of the report; absent: the state of a switch":
    "een getal of toestand van het bericht, zoals in `group.member` van het rapport; leeg: de toestand van een schakelaar",
  "number of an indicator of PGN 127501, or the crew's name for it":
    "nummer van een indicator van PGN 127501, of de naam ervan aan boord",
  "value of any key field; absent: all of them": "waarde van een sleutelveld; leeg: alle",
  "key fields with their values, which choose one of several: a tank by its number and its fluid":
    "sleutelvelden met hun waarden, die er een van meerdere kiezen: een tank naar nummer en inhoud",
  "its NAME in decimal digits, the crew's name for it, or else its model; absent: all":
    "zijn NAME in decimale cijfers, zijn naam aan boord of anders zijn model; leeg: alle",
  "it rings above": "het klinkt erboven",
  "it rings below": "het klinkt eronder",
  "it rings in this state: `On`, `Off`": "het klinkt in deze toestand: `On`, `Off`",
  "for so long; absent: the delay of the alarm": "zo lang; leeg: de vertraging van het alarm",
  "time to the limit of the depth alarm below which it rings, seconds":
    "tijd tot de grens van het dieptealarm waaronder het klinkt, {unit}",
  "distance from the leg above which it rings, nautical miles": "afstand tot de route waarboven het klinkt, {unit}",
  "change of the mean direction in 20 minutes above which it rings, degrees":
    "verandering van de gemiddelde richting in 20 minuten waarboven het klinkt, graden",
  "true wind, else apparent wind, above which it rings, knots":
    "ware, anders schijnbare wind waarboven het klinkt, {unit}",
  "fall of the pressure in three hours above which it rings, hectopascals":
    "daling van de luchtdruk in drie uur waarboven het klinkt, {unit}",
  "voltage of a battery of 12 V below which it rings; twice that for 24 V, volts":
    "spanning van een accu van 12 V waaronder het klinkt; het dubbele bij 24 V, {unit}",
  "nominal voltages by the instance of the battery, where they are not received or measured wrongly":
    "nominale spanningen per instantie van de accu, waar ze niet of verkeerd ontvangen worden",
  "voltage of a battery of 12 V above which it rings; twice that for 24 V, volts":
    "spanning van een accu van 12 V waarboven het klinkt; het dubbele bij 24 V, {unit}",
  "state of charge below which it rings, percent": "laadtoestand waaronder het klinkt, {unit}",
  "voltage of an AC input below which it rings, volts": "spanning van een AC-ingang waaronder het klinkt, {unit}",
  "free space of a disk below which it rings, megabytes": "vrije ruimte van een schijf waaronder het klinkt, {unit}",
  "intervals in seconds; topics below every/<seconds>/ repeat the data so often at most":
    "intervallen in seconden; topics onder every/<seconden>/ herhalen de gegevens hoogstens zo vaak",
  "the lane that Home Assistant is pointed at, in seconds; 1 by default":
    "de strook waarnaar Home Assistant wordt verwezen, in seconden; standaard 1",
  "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default":
    "seconden dat de broker een bericht van een strook minstens bewaart, voor een bridge die is afgesneden; standaard drie intervallen",
  "smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report":
    "kleinste verandering die telt, op PGN en veld (127508.voltageV) of veld van het navigatierapport",
  "public PGNs that are published beside those of the document: all, or these":
    "openbare PGN’s die naast die van het document worden gepubliceerd: alle, of deze",
  navigation: "navigatie",
  names: "namen",
  lanes: "stroken",
  can: "PGN’s",
  networks: "netwerken",
  sensors: "sensoren",
  "wind damping": "winddemping",
  "own mmsi": "eigen MMSI",
  "friendly names": "namen van apparaten",
  priority: "voorrang",
  position: "positie",
  course: "koers",
  heading: "voorliggende koers",
  speed: "snelheid",
  "rate of turn": "draaisnelheid",
  variation: "variatie",
  leeway: "drift",
  wind: "wind",
  depth: "diepte",
  environment: "temperatuur en luchtdruk",
  date: "datum en tijd",
  enabled: "ingeschakeld",
  delay: "vertraging",
  limit: "grens",
  minutes: "minuten",
  term: "herhaling",
  radius: "straal",
  reference: "referentie",
  rows: "rijen",
  id: "id",
  pgn: "PGN",
  member: "veld",
  switch: "schakelaar",
  key: "sleutel",
  instance: "instantie",
  device: "apparaat",
  above: "boven",
  below: "onder",
  is: "is",
  seconds: "seconden",
  severity: "ernst",
  text: "tekst",
  nominal: "nominale spanning",
  "home assistant": "Home Assistant",
  "message expiry sec": "bewaartijd van berichten, s",
  "dead bands": "kleinste veranderingen",
  public: "openbaar",
  auto: "auto",
  assumed: "aangenomen",
  off: "uit",
  bus: "bus",
  model: "model",
  emergency: "noodgeval",
  alarm: "alarm",
  warning: "waarschuwing",
  caution: "let op",
  alarms: "alarmen",
  "How each is decoded": "Hoe elk wordt gelezen",
};
