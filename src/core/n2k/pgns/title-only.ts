/**
 * PGNs to which the document gives a title that belongs to another PGN in the public sources. The message has another
 * meaning than the title, or an unknown one, so that only the number is published.
 */
import { pgn } from "../definition.ts";

const note = (text: string, transport: "single" | "fast" = "single") => ({ transport, note: text });

export const gnssControlStatus = pgn(128523, "GNSS Control Status", {}, note("the public GNSS Control Status is 129538"));
export const gnssDifferentialCorrectionReceiverInterface = pgn(128524, "GNSS Differential Correction Receiver Interface", {}, note("the public PGN of this title is 129550"));
export const windlassControlStatus = pgn(128777, "Windlass Control Status", {}, note("the public Windlass Control Status is 128776, 128777 is Anchor Windlass Operating Status"));
export const windlassOperatingStatus = pgn(128780, "Windlass Operating Status", {}, note("the public windlass operating status is 128777, 128780 is Linear Actuator Control/Status"));
export const gnssRaimOutput = pgn(129547, "GNSS RAIM Output", {}, note("the public GNSS RAIM Output is 129545, 129547 is GNSS Pseudorange Error Statistics", "fast"));
export const aisSingleSlotBinaryMessage = pgn(129812, "AIS Single Slot Binary Message", {}, { ...note("public sources call 129811 the single slot and 129812 the multi slot binary message", "fast"), about: "target", event: true });
export const watermakerOutputStatus = pgn(130568, "Watermaker Output Status", {}, note("public sources know 130568 as an entertainment message", "fast"));
export const watermakerConfigurationStatus = pgn(130569, "Watermaker Configuration Status", {}, note("130569 is Current Status and File, an entertainment message", "fast"));
