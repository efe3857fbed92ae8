/** The texts of the settings in Spanish. */
import type { SettingCatalogue } from "../texts.ts";

export const es: SettingCatalogue = {
  "time constant of the wind's damping, seconds; 0 is none":
    "constante de tiempo de la amortiguación del viento, {unit}; 0: ninguna",
  "MMSI of this boat, which is left out of the AIS report": "MMSI de este barco, que se omite en el informe AIS",
  "names for devices, by NAME in decimal digits; the device's model without one":
    "nombres de los aparatos, por NAME en cifras decimales; sin nombre, el modelo del aparato",
  "for each quantity the preferred devices, by NAME or by friendly name, the best first":
    "para cada magnitud los aparatos preferidos, por NAME o por nombre, el mejor primero",
  "variation from the bus, or from the World Magnetic Model at the boat's position":
    "declinación del bus, o del World Magnetic Model en la posición del barco",
  "the alarm is on": "la alarma está activada",
  "seconds for which the limit has to be exceeded": "tiempo durante el que se debe superar el límite, {unit}",
  "distance at the closest approach below which it rings, nautical miles":
    "distancia de máxima aproximación por debajo de la cual suena, {unit}",
  "time to the closest approach below which it rings, minutes":
    "tiempo hasta la máxima aproximación por debajo del cual suena, {unit}",
  "time after which an acknowledged alarm sounds again while it lasts, minutes":
    "tiempo tras el que una alarma confirmada vuelve a sonar mientras dura, {unit}",
  "radius of the zone, nautical miles": "radio de la zona, {unit}",
  "depth below which it rings, metres": "profundidad por debajo de la cual suena, {unit}",
  "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset":
    "desde dónde se miden profundidad y límite; según montaje: según el offset de la sonda, como en las pantallas; superficie y quilla necesitan ese offset",
  "last depth below which it rings, metres": "última profundidad por debajo de la cual suena, {unit}",
  "radius of an anchor watch that is set without one, metres":
    "radio de una guardia de fondeo puesta sin radio, {unit}",
  "distance beyond what the boat can do, above which it rings, nautical miles":
    "distancia más allá de lo que puede hacer el barco, por encima de la cual suena, {unit}",
  "distance by the speed of the boat, without a change of the position, above which it rings, nautical miles":
    "distancia según la velocidad del barco, sin que cambie la posición, por encima de la cual suena, {unit}",
  "distance above which it rings, or more where their HDOP says so, metres":
    "distancia por encima de la cual suena, o más si lo dice su HDOP, {unit}",
  "temperature of the coolant above which it rings, degrees Celsius":
    "temperatura del refrigerante por encima de la cual suena, {unit}",
  "oil pressure of a running engine below which it rings, kilopascals":
    "presión de aceite de un motor en marcha por debajo de la cual suena, {unit}",
  "limits of the crew's own: each a number of a message, above or below which it rings":
    "límites propios de la tripulación: cada uno un número de un mensaje, por encima o por debajo del cual suena",
  "absent: the navigation report": "vacío: el informe de navegación",
  "a number or a state of the message, as in `group.member` of the report; absent: the state of a switch":
    "un número o un estado del mensaje, como en `group.member` del informe; vacío: el estado de un interruptor",
  "number of an indicator of PGN 127501, or the crew's name for it":
    "número de un indicador del PGN 127501, o su nombre a bordo",
  "value of any key field; absent: all of them": "valor de un campo clave; vacío: todos",
  "key fields with their values, which choose one of several: a tank by its number and its fluid":
    "campos clave con sus valores, que eligen uno entre varios: un depósito por su número y su contenido",
  "its NAME in decimal digits, the crew's name for it, or else its model; absent: all":
    "su NAME en cifras decimales, el nombre que le da la tripulación o, si no, su modelo; vacío: todos",
  "it rings above": "suena por encima",
  "it rings below": "suena por debajo",
  "it rings in this state: `On`, `Off`": "suena en este estado: `On`, `Off`",
  "for so long; absent: the delay of the alarm": "durante ese tiempo; vacío: el retardo de la alarma",
  "time to the limit of the depth alarm below which it rings, seconds":
    "tiempo hasta el límite de la alarma de profundidad por debajo del cual suena, {unit}",
  "distance from the leg above which it rings, nautical miles":
    "distancia de la derrota por encima de la cual suena, {unit}",
  "change of the mean direction in 20 minutes above which it rings, degrees":
    "cambio de la dirección media en 20 minutos por encima del cual suena, grados",
  "true wind, else apparent wind, above which it rings, knots":
    "viento real, si no aparente, por encima del cual suena, {unit}",
  "fall of the pressure in three hours above which it rings, hectopascals":
    "bajada de la presión en tres horas por encima de la cual suena, {unit}",
  "voltage of a battery of 12 V below which it rings; twice that for 24 V, volts":
    "tensión de una batería de 12 V por debajo de la cual suena; el doble a 24 V, {unit}",
  "nominal voltages by the instance of the battery, where they are not received or measured wrongly":
    "tensiones nominales por instancia de la batería, donde no se reciben o se miden mal",
  "voltage of a battery of 12 V above which it rings; twice that for 24 V, volts":
    "tensión de una batería de 12 V por encima de la cual suena; el doble a 24 V, {unit}",
  "state of charge below which it rings, percent": "estado de carga por debajo del cual suena, {unit}",
  "voltage of an AC input below which it rings, volts": "tensión de una entrada AC por debajo de la cual suena, {unit}",
  "free space of a disk below which it rings, megabytes": "espacio libre de un disco por debajo del cual suena, {unit}",
  "intervals in seconds; topics below every/<seconds>/ repeat the data so often at most":
    "intervalos en segundos; los topics bajo every/<segundos>/ repiten los datos como mucho a ese ritmo",
  "the lane that Home Assistant is pointed at, in seconds; 1 by default":
    "la vía a la que se dirige Home Assistant, en segundos; 1 por defecto",
  "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default":
    "segundos que el broker guarda como mínimo un mensaje de una vía, para un puente cortado; tres intervalos por defecto",
  "smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report":
    "menor cambio que cuenta, por PGN y campo (127508.voltageV) o campo del informe de navegación",
  "public PGNs that are published beside those of the document: all, or these":
    "PGN públicos que se publican además de los del documento: todos, o estos",
  navigation: "navegación",
  names: "nombres",
  lanes: "vías",
  can: "PGN",
  networks: "redes",
  sensors: "sensores",
  "wind damping": "amortiguación del viento",
  "own mmsi": "MMSI propio",
  "friendly names": "nombres de aparatos",
  priority: "prioridad",
  position: "posición",
  course: "rumbo",
  heading: "proa",
  speed: "velocidad",
  "rate of turn": "velocidad de giro",
  variation: "declinación",
  leeway: "abatimiento",
  wind: "viento",
  depth: "profundidad",
  environment: "temperatura y presión",
  date: "fecha y hora",
  enabled: "activado",
  delay: "retardo",
  limit: "límite",
  minutes: "minutos",
  term: "repetición",
  radius: "radio",
  reference: "referencia",
  rows: "filas",
  id: "identificador",
  pgn: "PGN",
  member: "campo",
  switch: "interruptor",
  key: "clave",
  instance: "instancia",
  device: "aparato",
  above: "por encima",
  below: "por debajo",
  is: "es",
  seconds: "segundos",
  severity: "gravedad",
  text: "texto",
  nominal: "tensión nominal",
  "home assistant": "Home Assistant",
  "message expiry sec": "conservación de mensajes, s",
  "dead bands": "cambios mínimos",
  public: "público",
  auto: "auto",
  assumed: "supuesto",
  off: "desactivado",
  bus: "bus",
  model: "modelo",
  emergency: "emergencia",
  alarm: "alarma",
  warning: "aviso",
  caution: "precaución",
  alarms: "alarmas",
  "How each is decoded": "Cómo se decodifica cada uno",
};
