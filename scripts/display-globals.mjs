/** Globals of Node that the streams of MQTT.js need; its own dependencies have them. */
export { Buffer } from "buffer/";
export { default as process } from "process/browser.js";
