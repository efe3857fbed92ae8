/** The texts of the settings in Italian. */
import type { SettingCatalogue } from "../texts.ts";

export const it: SettingCatalogue = {
  "time constant of the wind's damping, seconds; 0 is none":
    "costante di tempo dello smorzamento del vento, {unit}; 0: nessuno",
  "MMSI of this boat, which is left out of the AIS report": "MMSI di questa barca, esclusa dal rapporto AIS",
  "names for devices, by NAME in decimal digits; the device's model without one":
    "nomi degli apparati, per NAME in cifre decimali; senza nome, il modello dell’apparato",
  "for each quantity the preferred devices, by NAME or by friendly name, the best first":
    "per ogni grandezza gli apparati preferiti, per NAME o per nome, il migliore per primo",
  "variation from the bus, or from the World Magnetic Model at the boat's position":
    "declinazione dal bus, o dal World Magnetic Model nella posizione della barca",
  "the alarm is on": "l’allarme è attivo",
  "seconds for which the limit has to be exceeded": "tempo per cui il limite deve essere superato, {unit}",
  "distance at the closest approach below which it rings, nautical miles":
    "distanza di minimo avvicinamento sotto la quale suona, {unit}",
  "time to the closest approach below which it rings, minutes":
    "tempo al minimo avvicinamento sotto il quale suona, {unit}",
  "time after which an acknowledged alarm sounds again while it lasts, minutes":
    "tempo dopo il quale un allarme confermato suona di nuovo finché dura, {unit}",
  "radius of the zone, nautical miles": "raggio della zona, {unit}",
  "depth below which it rings, metres": "profondità sotto la quale suona, {unit}",
  "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset":
    "da dove si misurano profondità e limite; come installato: secondo l’offset dell’ecoscandaglio, come sui display; superficie e chiglia richiedono quell’offset",
  "last depth below which it rings, metres": "ultima profondità sotto la quale suona, {unit}",
  "radius of an anchor watch that is set without one, metres":
    "raggio di una guardia all’ancora messa senza raggio, {unit}",
  "distance beyond what the boat can do, above which it rings, nautical miles":
    "distanza oltre ciò che la barca può fare, sopra la quale suona, {unit}",
  "distance by the speed of the boat, without a change of the position, above which it rings, nautical miles":
    "distanza secondo la velocità della barca, senza che la posizione cambi, sopra la quale suona, {unit}",
  "distance above which it rings, or more where their HDOP says so, metres":
    "distanza sopra la quale suona, o più se il loro HDOP lo dice, {unit}",
  "temperature of the coolant above which it rings, degrees Celsius":
    "temperatura del refrigerante sopra la quale suona, {unit}",
  "oil pressure of a running engine below which it rings, kilopascals":
    "pressione dell’olio di un motore in moto sotto la quale suona, {unit}",
  "limits of the crew's own: each a number of a message, above or below which it rings":
    "limiti propri dell’equipaggio: ciascuno un numero di un messaggio, sopra o sotto il quale suona",
  "absent: the navigation report": "vuoto: il rapporto di navigazione",
  "a number or a state of the message, as in `group.member` of the report; absent: the state of a switch":
    "un numero o uno stato del messaggio, come in `group.member` del rapporto; vuoto: lo stato di un interruttore",
  "number of an indicator of PGN 127501, or the crew's name for it":
    "numero di un indicatore del PGN 127501, o il suo nome a bordo",
  "value of any key field; absent: all of them": "valore di un campo chiave; vuoto: tutti",
  "key fields with their values, which choose one of several: a tank by its number and its fluid":
    "campi chiave con i loro valori, che ne scelgono uno fra più: un serbatoio per numero e contenuto",
  "its NAME in decimal digits, the crew's name for it, or else its model; absent: all":
    "il suo NAME in cifre decimali, il nome che gli dà l’equipaggio o altrimenti il modello; vuoto: tutti",
  "it rings above": "suona sopra",
  "it rings below": "suona sotto",
  "it rings in this state: `On`, `Off`": "suona in questo stato: `On`, `Off`",
  "for so long; absent: the delay of the alarm": "per tanto tempo; vuoto: il ritardo dell’allarme",
  "time to the limit of the depth alarm below which it rings, seconds":
    "tempo al limite dell’allarme di profondità sotto il quale suona, {unit}",
  "distance from the leg above which it rings, nautical miles": "distanza dalla rotta sopra la quale suona, {unit}",
  "change of the mean direction in 20 minutes above which it rings, degrees":
    "cambio della direzione media in 20 minuti sopra il quale suona, gradi",
  "true wind, else apparent wind, above which it rings, knots":
    "vento reale, altrimenti apparente, sopra il quale suona, {unit}",
  "fall of the pressure in three hours above which it rings, hectopascals":
    "calo della pressione in tre ore sopra il quale suona, {unit}",
  "voltage of a battery of 12 V below which it rings; twice that for 24 V, volts":
    "tensione di una batteria da 12 V sotto la quale suona; il doppio a 24 V, {unit}",
  "nominal voltages by the instance of the battery, where they are not received or measured wrongly":
    "tensioni nominali per istanza della batteria, dove non sono ricevute o misurate male",
  "voltage of a battery of 12 V above which it rings; twice that for 24 V, volts":
    "tensione di una batteria da 12 V sopra la quale suona; il doppio a 24 V, {unit}",
  "state of charge below which it rings, percent": "stato di carica sotto il quale suona, {unit}",
  "voltage of an AC input below which it rings, volts": "tensione di un ingresso AC sotto la quale suona, {unit}",
  "free space of a disk below which it rings, megabytes": "spazio libero di un disco sotto il quale suona, {unit}",
  "intervals in seconds; topics below every/<seconds>/ repeat the data so often at most":
    "intervalli in secondi; i topic sotto every/<secondi>/ ripetono i dati al massimo così spesso",
  "the lane that Home Assistant is pointed at, in seconds; 1 by default":
    "la corsia a cui è indirizzato Home Assistant, in secondi; 1 se vuoto",
  "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default":
    "secondi per cui il broker conserva almeno un messaggio di una corsia, per un bridge isolato; tre intervalli se vuoto",
  "smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report":
    "minima variazione che conta, per PGN e campo (127508.voltageV) o campo del rapporto di navigazione",
  "public PGNs that are published beside those of the document: all, or these":
    "PGN pubblici che si pubblicano oltre a quelli del documento: tutti, o questi",
  navigation: "navigazione",
  names: "nomi",
  lanes: "corsie",
  can: "PGN",
  networks: "reti",
  sensors: "sensori",
  "wind damping": "smorzamento del vento",
  "own mmsi": "MMSI propria",
  "friendly names": "nomi degli apparati",
  priority: "priorità",
  position: "posizione",
  course: "rotta",
  heading: "prora",
  speed: "velocità",
  "rate of turn": "velocità di accostata",
  variation: "declinazione",
  leeway: "scarroccio",
  wind: "vento",
  depth: "profondità",
  environment: "temperatura e pressione",
  date: "data e ora",
  enabled: "attivo",
  delay: "ritardo",
  limit: "limite",
  minutes: "minuti",
  term: "ripetizione",
  radius: "raggio",
  reference: "riferimento",
  rows: "righe",
  id: "identificativo",
  pgn: "PGN",
  member: "campo",
  switch: "interruttore",
  key: "chiave",
  instance: "istanza",
  device: "apparato",
  above: "sopra",
  below: "sotto",
  is: "è",
  seconds: "secondi",
  severity: "gravità",
  text: "testo",
  nominal: "tensione nominale",
  "home assistant": "Home Assistant",
  "message expiry sec": "conservazione dei messaggi, s",
  "dead bands": "minime variazioni",
  public: "pubblico",
  auto: "auto",
  assumed: "supposto",
  off: "disattivato",
  bus: "bus",
  model: "modello",
  emergency: "emergenza",
  alarm: "allarme",
  warning: "avviso",
  caution: "attenzione",
  alarms: "allarmi",
  "How each is decoded": "Come si decodifica ciascuno",
};
