/** The part of u8-mqtt that the display uses, without its router of topics; the library has no types of its own. */
declare module "u8-mqtt/esm/web/basic-v5.js" {
  export interface MqttClient {
    with_websock(socket: WebSocket): this;
    /** Rejects if the broker refuses, or the connection ends before its answer. */
    connect(packet: {
      readonly client_id: string;
      readonly keep_alive: number;
      readonly flags: { readonly clean_start: boolean };
      readonly username: string | undefined;
      readonly password: string | undefined;
      readonly props?: { readonly maximum_packet_size: number };
    }): Promise<unknown>;
    /** The answer for each filter, objects whose numbers are the codes. */
    subscribe(filters: string[]): Promise<readonly [{ readonly answers: readonly object[] }, ...unknown[]]>;
    unsubscribe(filters: string[]): Promise<unknown>;
    /** Publishes with QoS 1; `post`, with QoS 0, throws in version 0.6.7. */
    send(topic: string, payload: string): Promise<unknown>;
    ping(): Promise<unknown>;
  }
  interface Options {
    readonly keep_alive: number;
    log_conn(): void;
    on_error(): void;
    on_disconnect(): void;
    readonly on_mqtt_type: {
      mqtt_publish(packet: { readonly topic: string; readonly payload: Uint8Array; readonly retain: boolean }): void;
      mqtt_pingresp(): void;
    };
  }
  export function mqtt_v4(options: Options): MqttClient;
  export function mqtt_v5(options: Options): MqttClient;
}
