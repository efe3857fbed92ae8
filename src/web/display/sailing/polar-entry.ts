/**
 * The entry of the settings that has the polar of the boat: `{"name": "polar", "title": "sloop.csv", "curves": [...]}`.
 */
export const POLAR = "polar";
