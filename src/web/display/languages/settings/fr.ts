/** The texts of the settings in French. */
import type { SettingCatalogue } from "../texts.ts";

export const fr: SettingCatalogue = {
  "time constant of the wind's damping, seconds; 0 is none":
    "constante de temps de l’amortissement du vent, {unit} ; 0 : aucun",
  "MMSI of this boat, which is left out of the AIS report": "MMSI de ce bateau, laissé hors du rapport AIS",
  "names for devices, by NAME in decimal digits; the device's model without one":
    "noms des appareils, par NAME en chiffres décimaux ; sans nom, le modèle de l’appareil",
  "for each quantity the preferred devices, by NAME or by friendly name, the best first":
    "pour chaque grandeur les appareils préférés, par NAME ou par nom, le meilleur d’abord",
  "variation from the bus, or from the World Magnetic Model at the boat's position":
    "déclinaison du bus, ou du World Magnetic Model à la position du bateau",
  "the alarm is on": "l’alarme est activée",
  "seconds for which the limit has to be exceeded": "durée pendant laquelle la limite doit être dépassée, {unit}",
  "distance at the closest approach below which it rings, nautical miles":
    "distance au plus près (CPA) sous laquelle l’alarme sonne, {unit}",
  "time to the closest approach below which it rings, minutes":
    "temps jusqu’au plus près (TCPA) sous lequel l’alarme sonne, {unit}",
  "time after which an acknowledged alarm sounds again while it lasts, minutes":
    "temps après lequel une alarme acquittée sonne à nouveau tant qu’elle dure, {unit}",
  "radius of the zone, nautical miles": "rayon de la zone, {unit}",
  "depth below which it rings, metres": "profondeur sous laquelle l’alarme sonne, {unit}",
  "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset":
    "d’où profondeur et limite sont mesurées ; selon le montage : d’après le décalage du sondeur, comme sur les afficheurs ; surface et quille ont besoin de ce décalage",
  "last depth below which it rings, metres": "dernière profondeur sous laquelle l’alarme sonne, {unit}",
  "radius of an anchor watch that is set without one, metres":
    "rayon d’une veille au mouillage posée sans rayon, {unit}",
  "distance beyond what the boat can do, above which it rings, nautical miles":
    "distance au-delà de ce que le bateau peut faire, à partir de laquelle l’alarme sonne, {unit}",
  "distance by the speed of the boat, without a change of the position, above which it rings, nautical miles":
    "distance selon la vitesse du bateau, sans changement de position, à partir de laquelle l’alarme sonne, {unit}",
  "distance above which it rings, or more where their HDOP says so, metres":
    "distance à partir de laquelle l’alarme sonne, ou plus selon leur HDOP, {unit}",
  "temperature of the coolant above which it rings, degrees Celsius":
    "température du liquide de refroidissement au-dessus de laquelle l’alarme sonne, {unit}",
  "oil pressure of a running engine below which it rings, kilopascals":
    "pression d’huile d’un moteur en marche sous laquelle l’alarme sonne, {unit}",
  "limits of the crew's own: each a number of a message, above or below which it rings":
    "limites propres à l’équipage : chacune un nombre d’un message, au-dessus ou au-dessous duquel l’alarme sonne",
  "absent: the navigation report": "vide : le rapport de navigation",
  "a number or a state of the message, as in `group.member` of the report; absent: the state of a switch":
    "un nombre ou un état du message, comme dans `group.member` du rapport ; vide : l’état d’un interrupteur",
  "number of an indicator of PGN 127501, or the crew's name for it":
    "numéro d’un indicateur du PGN 127501, ou son nom à bord",
  "value of any key field; absent: all of them": "valeur d’un champ clé ; vide : tous",
  "key fields with their values, which choose one of several: a tank by its number and its fluid":
    "champs clés avec leurs valeurs, qui choisissent un élément parmi plusieurs : un réservoir par son numéro et son contenu",
  "its NAME in decimal digits, the crew's name for it, or else its model; absent: all":
    "son NAME en chiffres décimaux, le nom que lui donne l’équipage ou sinon son modèle ; vide : tous",
  "it rings above": "l’alarme sonne au-dessus",
  "it rings below": "l’alarme sonne au-dessous",
  "it rings in this state: `On`, `Off`": "l’alarme sonne dans cet état : `On`, `Off`",
  "for so long; absent: the delay of the alarm": "aussi longtemps ; vide : le délai de l’alarme",
  "time to the limit of the depth alarm below which it rings, seconds":
    "temps jusqu’à la limite de l’alarme de profondeur sous lequel l’alarme sonne, {unit}",
  "distance from the leg above which it rings, nautical miles": "écart de route à partir duquel l’alarme sonne, {unit}",
  "change of the mean direction in 20 minutes above which it rings, degrees":
    "changement de la direction moyenne en 20 minutes à partir duquel l’alarme sonne, degrés",
  "true wind, else apparent wind, above which it rings, knots":
    "vent réel, sinon apparent, au-dessus duquel l’alarme sonne, {unit}",
  "fall of the pressure in three hours above which it rings, hectopascals":
    "baisse de la pression en trois heures à partir de laquelle l’alarme sonne, {unit}",
  "voltage of a battery of 12 V below which it rings; twice that for 24 V, volts":
    "tension d’une batterie de 12 V sous laquelle l’alarme sonne ; le double pour 24 V, {unit}",
  "nominal voltages by the instance of the battery, where they are not received or measured wrongly":
    "tensions nominales par instance de batterie, si elles ne sont pas reçues ou mal mesurées",
  "voltage of a battery of 12 V above which it rings; twice that for 24 V, volts":
    "tension d’une batterie de 12 V au-dessus de laquelle l’alarme sonne ; le double pour 24 V, {unit}",
  "state of charge below which it rings, percent": "état de charge sous lequel l’alarme sonne, {unit}",
  "voltage of an AC input below which it rings, volts": "tension d’une entrée AC sous laquelle l’alarme sonne, {unit}",
  "free space of a disk below which it rings, megabytes": "place libre d’un disque sous laquelle l’alarme sonne, Mo",
  "intervals in seconds; topics below every/<seconds>/ repeat the data so often at most":
    "intervalles en secondes ; les topics sous every/<secondes>/ répètent les données au plus à ce rythme",
  "the lane that Home Assistant is pointed at, in seconds; 1 by default":
    "la voie vers laquelle Home Assistant est dirigé, en secondes ; 1 par défaut",
  "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default":
    "secondes pendant lesquelles le broker garde au moins un message d’une voie, pour un pont coupé ; trois intervalles par défaut",
  "smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report":
    "plus petit changement qui compte, par PGN et champ (127508.voltageV) ou champ du rapport de navigation",
  "public PGNs that are published beside those of the document: all, or these":
    "PGN publics publiés à côté de ceux du document : tous, ou ceux-ci",
  navigation: "navigation",
  names: "noms",
  lanes: "voies",
  can: "PGN",
  networks: "réseaux",
  sensors: "capteurs",
  "wind damping": "amortissement du vent",
  "own mmsi": "MMSI du bateau",
  "friendly names": "noms des appareils",
  priority: "priorité",
  position: "position",
  course: "route",
  heading: "cap",
  speed: "vitesse",
  "rate of turn": "vitesse de giration",
  variation: "déclinaison",
  leeway: "dérive",
  wind: "vent",
  depth: "profondeur",
  environment: "température et pression",
  date: "date et heure",
  enabled: "activé",
  delay: "délai",
  limit: "limite",
  minutes: "minutes",
  term: "répétition",
  radius: "rayon",
  reference: "référence",
  rows: "lignes",
  id: "identifiant",
  pgn: "PGN",
  member: "champ",
  switch: "interrupteur",
  key: "clé",
  instance: "instance",
  device: "appareil",
  above: "au-dessus",
  below: "au-dessous",
  is: "est",
  seconds: "secondes",
  severity: "gravité",
  text: "texte",
  nominal: "tension nominale",
  "home assistant": "Home Assistant",
  "message expiry sec": "conservation des messages, s",
  "dead bands": "plus petits changements",
  public: "public",
  auto: "auto",
  assumed: "supposé",
  off: "désactivé",
  bus: "bus",
  model: "modèle",
  emergency: "urgence",
  alarm: "alarme",
  warning: "avertissement",
  caution: "attention",
  alarms: "alarmes",
  "How each is decoded": "Comment chacun est décodé",
};
