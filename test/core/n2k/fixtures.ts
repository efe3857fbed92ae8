/**
 * One payload per definition, of our own making: hex, and the message that it is from source address 3. The values are
 * arbitrary. The `origin` of a definition is the source of its layout: the public database, SAE J1939, or an
 * assumption.
 */

export interface Fixture {
  readonly pgn: number;
  readonly payload: Uint8Array;
  /** JSON text of `data`. */
  readonly json: string;
}

/** The source address of all. */
export const FIXTURE_SOURCE = 3;

const table = `
0015ffffff1d0200 {"pgn":59392,"control":"ACK","groupFunction":21,"acknowledgedPgn":541}
220300 {"pgn":59904,"requestedPgn":802}
080080301343bcb0 {"pgn":60928,"identityNumber":8,"manufacturerCode":388,"ecuInstance":3,"functionInstance":2,"functionCode":67,"classCode":94,"vehicleSystemInstance":0,"industryGroupCode":3,"arbitraryAddressCapable":true}
ff7d481937ffffff {"pgn":61443,"acceleratorPedalPercent":50,"loadPercent":72,"remoteAcceleratorPedalPercent":10,"acceleratorPedal2Percent":22}
ff827d6813ffffff {"pgn":61444,"demandTorquePercent":5,"torquePercent":0,"engineSpeedRpm":621}
7ee8037cffffffff {"pgn":61445,"selectedGear":1,"gearRatio":1,"currentGear":-1}
04ff640001036e001005efff2b7f {"pgn":65226,"protectLamp":"Off","amberWarningLamp":"On","redStopLamp":"Off","malfunctionLamp":"Off","faults":[{"spn":100,"parameter":"Engine oil pressure","fmi":1,"failure":"data valid but below normal range, most severe","occurrences":3,"conversionMethod":0},{"spn":110,"parameter":"Engine coolant temperature","fmi":16,"failure":"data valid but above normal range, moderately severe","occurrences":5,"conversionMethod":0},{"spn":131055,"fmi":11,"failure":"root cause not known","conversionMethod":0}]}
13ff34f2ff8c {"pgn":65227,"amberWarningLamp":"Off","redStopLamp":"On","malfunctionLamp":"Off","faults":[{"spn":520756,"fmi":31,"failure":"condition exists","occurrences":12,"conversionMethod":1}]}
0700609733fdb826e2 {"pgn":65240,"identityNumber":7,"manufacturerCode":1211,"ecuInstance":3,"functionInstance":6,"functionCode":253,"classCode":92,"vehicleSystemInstance":6,"industryGroupCode":2,"arbitraryAddressCapable":false,"newSourceAddress":226}
40e20100ffffffff {"pgn":65253,"engineHours":6172.8}
8a7548e257f19d4e {"pgn":65256,"compassBearing":235.078,"navSpeed":226.281,"pitch":282.68,"altitude":15.6}
7b46c02d80304b32 {"pgn":65262,"coolantTempC":83,"fuelTempC":30,"oilTempC":93,"turboOilTempC":115,"intercoolerTempC":35,"intercoolerThermostatPercent":20}
5a14c8556a7d3cb9 {"pgn":65263,"fuelPressureKpa":360,"blowByPressureKpa":1,"oilLevelPercent":80,"oilPressureKpa":340,"crankcasePressureKpa":0.828,"coolantPressureKpa":120,"coolantLevelPercent":74}
2c01ffffffff3219 {"pgn":65266,"fuelRateLh":15,"throttlePercent":20,"throttle2Percent":10}
21f2ac9c9d2e1880 {"pgn":65267,"latitude":52.8579873,"longitude":4.9068445}
ca402540246effff {"pgn":65269,"barometricPressureKpa":101,"cabinTempC":25,"ambientAirTempC":17,"airInletTempC":70}
0a3252330c004b28 {"pgn":65270,"particulateTrapInletPressureKpa":5,"boostPressureKpa":100,"intakeManifoldTempC":42,"airInletPressureKpa":102,"airFilterDifferentialPressureKpa":0.6,"exhaustGasTempC":327,"coolantFilterDifferentialPressureKpa":20}
7d51200118010e01 {"pgn":65271,"netBatteryCurrentA":0,"alternatorCurrentA":81,"alternatorVoltage":14.4,"batteryVoltageV":14,"keyswitchVoltageV":13.5}
64af3d6e602effff {"pgn":65272,"clutchPressureKpa":1600,"oilLevelPercent":70,"filterDifferentialPressureKpa":122,"oilPressureKpa":1760,"oilTempC":98}
c8641e28a0287dff {"pgn":65276,"washerFluidLevelPercent":80,"fuelLevelPercent":40,"fuelFilterDifferentialPressureKpa":60,"oilFilterDifferentialPressureKpa":20,"cargoTempC":52,"fuelLevel2Percent":50}
024a03000badcafe {"pgn":126208,"function":"Acknowledge","aboutPgn":842,"parameters":"0badcafe"}
00160100cf0100 {"pgn":126464,"function":"Transmit PGN list","pgns":[{"id":278},{"id":463}]}
a5ffff6c02ffffffffffffffffffff05fdffffffffffffffffff5703 {"pgn":126983,"sourceAddress":3,"alertType":5,"alertCategory":10,"alertId":620,"state":"Silenced","priority":"87","silenced":true,"acknowledged":false,"escalated":true,"occurrenceNumber":5}
6affffb702fffffffffffffffffffffffffffffffffffffffc {"pgn":126984,"sourceAddress":3,"alertType":10,"alertCategory":6,"alertId":695,"command":"Acknowledge"}
22ffffbe02ffffffffffffffffffffff160d01537465657220636c6561720201 {"pgn":126985,"sourceAddress":3,"alertType":2,"alertCategory":2,"alertId":702,"languageId":22,"textLength":11,"text":"Steer clear"}
01f8635020073802 {"pgn":126992,"sequenceId":1,"source":8,"date":20579,"time":3722.6272}
695003d9ffffffff {"pgn":126993,"intervalS":20.585,"sequenceCounter":3,"controller1State":"Error Passive","controller2State":"Bus Off","equipmentStatus":"Fault"}
b793f6294465707468203120202020202020202020202020202020202020202020202020312e322e33202020202020202020202020202020202020202020202020202020446570746820736f756e646572202020202020202020202020202020202020203030343220202020202020202020202020202020202020202020202020202020b054 {"pgn":126996,"nmeaVersion":37815,"productCode":10742,"modelId":"Depth 1","softwareVersion":"1.2.3","modelVersion":"Depth sounder","serialNumber":"0042","certLevel":176,"loadEquiv":84}
060154657874060154657874060154657874 {"pgn":126998,"installationDescription1":"Text","installationDescription2":"Text","manufacturerInformation":"Text"}
00425f641373a5ed16ffffffffffffffffffffffff {"pgn":127237,"steeringMode":"Follow-Up Device","turnMode":0,"headingReference":"Magnetic","commandedRudderDeg":28.442,"commandedHeadingDeg":242.676,"commandedTrackDeg":33.627,"headingToSteerDeg":242.676,"rudderLimitExceeded":0,"offHeadingExceeded":0,"offTrackExceeded":0,"override":0,"rudderDirection":2}
00faf3e420b4ffff {"pgn":127245,"instance":0,"directionOrder":"Move to port","angleOrderDeg":-39.677,"positionDeg":-111.291}
0142eb757828a1fd {"pgn":127250,"sequenceId":1,"headingDeg":345.07,"deviationDeg":176.683,"variationDeg":-139.114,"reference":"Magnetic"}
04b75d0000ffffff {"pgn":127251,"sequenceId":4,"rateDegPerSec":0.042956}
04861552aadfc3ff {"pgn":127257,"sequenceId":4,"yawDeg":31.57,"pitchDeg":-125.673,"rollDeg":-88.195}
05f5a051f9c7ffff {"pgn":127258,"sequenceId":5,"source":"WMM 2005","age":20896,"variation":-82.179}
013d45766599ffff {"pgn":127488,"engineInstance":1,"engineSpeedRpm":4431.3,"boostPressureKpa":2597.4,"tiltTrimPercent":-103}
04eca1740b5573bf96e472fca53b00e70ac88cff2ebc0a7cf582 {"pgn":127489,"engineInstance":4,"oilPressureKpa":4145.2,"oilTempC":20.1,"coolantTempC":22.1,"alternatorVoltage":-269.45,"fuelRateLh":2941.2,"engineHours":1085.8656,"coolantPressureKpa":279.1,"fuelPressureKpa":36040,"loadPercent":-11,"torquePercent":-126,"discreteStatus1":48174,"discreteStatus2":31754}
01c73402ffffffff {"pgn":127490,"engineInstance":1,"ratedSpeedRpm":3377.8,"engineType":"Electric","propulsionType":"Shaft"}
048d2badb2beffff {"pgn":127491,"engineInstance":4,"engineSpeedRpm":2787.3,"boostPressureKpa":4574.1,"tiltTrimPercent":-66}
04fc732c350cbdff {"pgn":127493,"engineInstance":4,"gear":"Forward","oilPressureKpa":1137.9,"oilTempC":39.4,"discreteStatus1":189}
02f23d90c7c036ff {"pgn":127494,"engineInstance":2,"transmissionType":"Electric","maxForwardGearRatio":36.925,"maxReverseGearRatio":49.351,"numForwardGears":6,"numReverseGears":3}
055308c5c7c525ff {"pgn":127495,"engineInstance":5,"slipPercent":8.524,"torqueConverterRpm":12785.3,"turbineRpm":2417.3}
ea69bc968a2dca00cef3eaadcbe9 {"pgn":127496,"timeToEmptyHours":702.4806339,"distanceToEmptyNm":71.543898,"fuelRemainingL":62414,"tripRunTimeHours":1089.5665717}
0559cb7012698225a7 {"pgn":127497,"engineInstance":5,"tripFuelUsedL":52057,"fuelRateAvgLh":472,"fuelRateEconomyLh":-3215.1,"instFuelEconomyLh":-2274.7}
03e0c202010201 {"pgn":127498,"engineInstance":3,"ratedSpeedRpm":12472}
02f7dfbfffffffff {"pgn":127501,"instance":2,"switches":[{"switch":2,"status":"On"},{"switch":7,"status":"On"},{"switch":12,"status":"Error"}]}
0308fc5b4f1ecb86fbffff88000000ffffffff5c {"pgn":127503,"instance":3,"numLines":8,"line1VoltageV":203.15,"line1CurrentA":5199.8,"line1FrequencyHz":643.9,"line1RealPowerW":136,"line1PowerFactor":0.92}
0104fc1e9db14ddaeaffff79000000ffffffffcb {"pgn":127504,"instance":1,"numLines":4,"line1VoltageV":402.22,"line1CurrentA":1988.9,"line1FrequencyHz":601.22,"line1RealPowerW":121,"line1PowerFactor":-0.53}
25d77b5e910000ff {"pgn":127505,"instance":5,"fluidType":"Gray water","levelPercent":126.812,"capacityLiters":3721.4}
0005018b1af3f2e688c32d {"pgn":127506,"sequenceId":0,"instance":5,"dcType":"Alternator","stateOfChargePercent":139,"stateOfHealthPercent":26,"timeRemainingMin":62195,"rippleVoltageV":35.046,"capacityRemainingAh":11715}
030513f051fa {"pgn":127507,"chargerInstance":3,"batteryInstance":5,"operatingState":"Overcharge","chargerMode":"Primary","enabled":"Off","equalizationPending":0,"equalizationTimeRemainingMin":64081}
012b3cacdc678c00 {"pgn":127508,"instance":1,"sequenceId":0,"voltageV":154.03,"currentA":-904.4,"temperatureC":86.28}
000604c4 {"pgn":127509,"inverterInstance":0,"acInstance":6,"dcInstance":4,"operatingState":"Disabled","inverterEnable":"Off"}
00fbcfbfffffffff {"pgn":127512,"instance":0,"switches":[{"switch":2,"control":"Reserved"},{"switch":7,"control":"Off"},{"switch":12,"control":"Reserved"}]}
02d0f2a7dc1cffff {"pgn":127513,"instance":2,"batteryType":"Flooded","supportsEqualization":"Yes","nominalVoltageV":24,"capacityAh":56487,"temperatureCoefficientPct":28}
0605f3ef7fffffff {"pgn":127514,"switchBankInstance":6,"indicatorBankInstance":5,"switches":[{"switch":2,"status":"Off"},{"switch":7,"status":"Error"},{"switch":12,"status":"On"}]}
0003ea10070000ff {"pgn":127744,"acInstance":0,"breakerInstance":3,"breakerState":"Tripped","bypassState":"Bypassed","realPowerW":1808}
0501f4ffffffffff {"pgn":127745,"acInstance":5,"breakerInstance":1,"breakerCommand":"Open","resetCommand":"Reset"}
01024faa0065f1ff {"pgn":127746,"acInstance":1,"breakerInstance":2,"maxCurrentA":4359.9,"tripTimeMs":25856,"breakerType":"Magnetic"}
0302f8e18bea41a1c4c80400003ffc {"pgn":127747,"acInstance":3,"breakerInstance":2,"breakerState":"Open","voltageV":358.09,"currentA":1687.4,"frequencyHz":503.37,"realPowerW":1224,"powerFactor":0.63,"bypassState":"Normal"}
0300e99068ffffff {"pgn":127748,"dcInstance":3,"breakerInstance":0,"breakerState":"Closed","bypassState":"Bypassed","currentA":2676.8}
0502f0ffffffffff {"pgn":127749,"dcInstance":5,"breakerInstance":2,"breakerCommand":"Open","resetCommand":"No Action"}
030276413142f3ff {"pgn":127750,"dcInstance":3,"breakerInstance":2,"maxCurrentA":1675.8,"tripTimeMs":16945,"breakerType":"Electronic"}
0204fae8588ffa94000000bb71fc {"pgn":127751,"dcInstance":2,"breakerInstance":4,"breakerState":"Tripped","voltageV":227.6,"currentA":-139.3,"powerW":148,"temperatureC":18,"bypassState":"Normal"}
044887ffffffffff {"pgn":128000,"sequenceId":4,"leewayDeg":-177.067}
018b70e97d01ffff {"pgn":128259,"sequenceId":1,"speedWaterMs":288.11,"speedWaterKnots":560.04,"speedGroundMs":322.33,"speedGroundKnots":626.56,"speedSensorType":"Pitot tube"}
001b0500001c2902 {"pgn":128267,"sequenceId":0,"depthM":13.07,"offsetM":10.524,"rangeM":20}
ffffffffffffb7e100004fa40000 {"pgn":128275,"tripLogM":42063,"tripLogNm":22.7122,"totalLogM":57783,"totalLogNm":31.2003}
057402f3bb2cac210000cc60afbb57050000b6190100d7a800000201ff {"pgn":128520,"sid":5,"targetId":628,"trackStatus":"Lost","reportedTarget":false,"acquisitionSource":"Manual","bearing":65.609,"distance":86.2,"distanceNm":0.046544,"cog":141.979,"sog":933.96,"cpa":13.67,"cpaNm":0.007381,"tcpa":72.118,"tcpaMin":1.20197,"utcOfFix":4.3223}
01aa01f2f7a9900eb6b0571f1c6662029cecd8f8c4a1 {"pgn":128521,"sid":1,"targetId":426,"targetType":"Combined","mmsi":244361719,"latitude":52.5840566,"longitude":4.00031,"cog":347.052,"sog":1238.31,"heading":237.273}
0166a522ee0e00001e150000e0e1d6dd {"pgn":128522,"sid":1,"radarId":102,"zoneId":165,"zoneShape":"Polygon","zoneStatus":"Alarm","innerRange":38.22,"outerRange":54.06,"startBearing":331.307,"endBearing":325.383}
ffffffffffffffff {"pgn":128523}
ffffffffffffffff {"pgn":128524}
ffffffffffffffff {"pgn":128777}
ffffffffffffffff {"pgn":128780}
f756101f73f09402 {"pgn":129025,"latitude":52.1164535,"longitude":4.3315315}
02fc7674e4acffff {"pgn":129026,"sequenceId":2,"cogReference":"True","cogDeg":170.822,"sogMs":442.6,"sogKnots":860.35}
00e14fde98aa014060d7625ff1450700faebe41c5d9c00e6ef56030000000092fc011f8cbde0ffffff7fff {"pgn":129029,"sequenceId":0,"days":20449,"time":2795.747,"latitude":52.4090323641,"longitude":4.4012475048,"altitude":56.029158,"gnssType":2,"method":9,"numberOfSatellites":1,"hdop":-296.65,"pdop":-80.03}
c4507cacdc020200 {"pgn":129033,"days":20676,"time":4801.6508,"hours":1,"minutes":20,"seconds":1.6508,"localOffset":2}
5ad98b8f0e6a81f102a23e581f76274ffbacab58198386c464ecf805 {"pgn":129038,"messageId":26,"repeatIndicator":1,"mmsi":244288473,"longitude":4.9381738,"latitude":52.5876898,"positionAccuracy":"Low","raim":true,"timeStamp":29,"cogDeg":116.098,"sogMs":442.83,"sogKnots":860.79,"communicationState":88235,"transceiver":"Channel B VDL transmission","headingDeg":197.298,"rateOfTurnDegPerMin":2771.3,"navStatus":"Power-driven vessel pushing ahead or towing alongside","specialManeuver":"Engaged in special maneuver","sequenceId":5}
94545c8d0e4baed202f3c2221face434528f1aa004c4b80008ffff {"pgn":129039,"messageId":20,"repeatIndicator":2,"mmsi":244145236,"longitude":4.7361611,"latitude":52.2371827,"positionAccuracy":"Low","raim":false,"timeStamp":43,"cogDeg":77.578,"sogMs":366.9,"sogKnots":713.2,"communicationState":303130,"transceiver":"Channel A VDL reception","headingDeg":271.009,"unitType":"SOTDMA","integratedDisplay":true,"dsc":false,"band":"Top 525 kHz of marine band","canHandleMessage22":false,"mode":"Autonomous","communicationStateType":"ITDMA"}
5789ca8f0e3f5ebc0276f5601f721fc092f000f08451602f51013e022e1bb8a34e4f4f52445a4545202020202020202020202020c3f8 {"pgn":129040,"messageId":23,"repeatIndicator":1,"mmsi":244304521,"longitude":4.5899327,"latitude":52.644799,"positionAccuracy":"Low","raim":true,"timeStamp":28,"cogDeg":281.798,"sogMs":615.86,"sogKnots":1197.14,"shipType":132,"headingDeg":141.274,"positionFixingDevice":"GLONASS","lengthM":33.7,"beamM":57.4,"toStarboardM":695.8,"toBowM":4191.2,"name":"NOORDZEE","dte":"Not available","mode":"Assigned","transceiver":"Channel B VDL transmission"}
692d3d910efa89d102c7a6ff1e1c0a034a01e7a4bc3954eaf6e40a014e4f4f52445a4545 {"pgn":129041,"messageId":41,"repeatIndicator":1,"mmsi":244399405,"longitude":4.7286778,"latitude":52.0070855,"positionAccuracy":"Low","raim":false,"timeStamp":7,"lengthM":77.8,"beamM":33,"toStarboardM":4221.5,"toNorthM":1478,"atonType":"Floating AtoN: cardinal N","offPosition":false,"virtual":true,"assignedMode":"Autonomous and continuous","positionFixingDevice":"Chayka","atonStatus":246,"transceiver":"Own information not broadcast","name":"NOORDZEE"}
57383420c4301a1f8b43c002c501000057383420 {"pgn":129044,"localDatum":"W84","deltaLatitude":52.1810116,"deltaLongitude":4.6154635,"deltaAltitude":4.53,"referenceDatum":"W84"}
03f5fb150000ffff {"pgn":129283,"sequenceId":3,"xteMode":5,"xte":56.27}
00e9050000c0ffffffffffffffff2166ffffffff0a0300003dc98a1f821e71020100 {"pgn":129284,"sequenceId":0,"distanceToWaypoint":15.13,"bearingToWaypoint":149.8,"bearingReference":"True","waypointClosing":true,"arrivalStatus":"Not Arrived","destinationLatitude":52.9189181,"destinationLongitude":4.096781,"waypointId":778}
9901040025019a00e90601486f6d65ff79000a014e4f4f52445a4545b9d83f1f82fe6c02bf020a014e4f4f52445a4545a113031f1f8cbb02 {"pgn":129285,"startRps":409,"numberOfItems":4,"databaseId":293,"routeId":154,"direction":"Reverse","supplementaryData":"On","routeName":"Home","waypoints":[{"waypointId":121,"name":"NOORDZEE","latitude":52.4277945,"longitude":4.0697474},{"waypointId":703,"name":"NOORDZEE","latitude":52.0295329,"longitude":4.5845535}]}
06fd4ceb345cffff {"pgn":129291,"sequenceId":6,"setReference":"Magnetic","setDeg":345.127,"driftMs":236.04,"driftKnots":458.83}
00cf22e11173dde7 {"pgn":129539,"sequenceId":0,"mode":1,"hdop":-79.02,"vdop":294.57,"tdop":-61.79}
02fc01 {"pgn":129540,"sequenceId":2,"mode":0,"numberOfSatellites":1}
024bd40fbce5467399a414b3017e12 {"pgn":129542,"sequenceId":2,"rmsPositionUncertaintyM":543.47,"majorAxisM":481.43,"minorAxisM":181.49,"majorAxisDeg":225.075,"latitudeErrorM":52.84,"longitudeErrorM":4.35,"altitudeErrorM":47.34}
ff {"pgn":129547}
08d838950ea2b9780272ad801ffc0de53a0042702199504f {"pgn":129793,"messageId":8,"repeatIndicator":0,"mmsi":244660440,"longitude":4.1466274,"latitude":52.8526706,"positionAccuracy":"Low","raim":false,"time":385.9725,"communicationState":94274,"transceiver":"Own information not broadcast","date":20633,"positionFixingDevice":"Loran-C"}
9dc0b9910e01000000504142432020204e4f4f52445a4545202020202020202020202020bee80023004bb40015b34ff9dcd501fc18524f5454455244414d2020202020202020202020e2e1 {"pgn":129794,"messageId":29,"repeatIndicator":2,"mmsi":244431296,"imoNumber":1,"callsign":"PABC","name":"NOORDZEE","shipType":190,"lengthM":23.2,"beamM":3.5,"toStarboardM":4615.5,"toBowM":537.6,"etaDate":20403,"etaTime":3079.2953,"draftM":63.96,"destination":"ROTTERDAM","aisVersion":"ITU-R M.1371-5","positionFixingDevice":"Galileo","dte":"Not available","transceiver":"Channel B VDL reception"}
11b413950e0143f18d0ebf02000badcafe {"pgn":129795,"messageId":17,"repeatIndicator":0,"mmsi":244650932,"transceiver":"Channel A VDL reception","sequenceNumber":0,"destinationMmsi":244183363,"retransmit":false,"numberOfBits":2,"binaryData":"0badcafe"}
084993990e074e6f990efcc428990efd {"pgn":129796,"messageId":8,"repeatIndicator":0,"mmsi":244945737,"transceiver":"Channel B VDL transmission","acknowledgments":[{"destinationMmsi":244936526,"sequenceNumber":0},{"destinationMmsi":244918468,"sequenceNumber":1}]}
875c51960e0506000badcafe {"pgn":129797,"messageId":7,"repeatIndicator":2,"mmsi":244732252,"transceiver":"Channel A VDL transmission","numberOfBits":6,"binaryData":"0badcafe"}
6e3d9e8e0e9962cb022f30251fd545e32de29c1b20301e000000c1 {"pgn":129798,"messageId":46,"repeatIndicator":1,"mmsi":244227645,"longitude":4.6883481,"latitude":52.2530863,"positionAccuracy":"High","raim":false,"timeStamp":53,"cogDeg":333.353,"sogMs":5790.1,"sogKnots":11255.1,"communicationState":7068,"transceiver":"Own information not broadcast","altitudeM":77.28,"dte":"Not available"}
5ddb17990e852aea960e7f0d01537465657220636c656172 {"pgn":129801,"messageId":29,"repeatIndicator":1,"mmsi":244914139,"transceiver":"Channel A VDL transmission","sequenceNumber":2,"destinationMmsi":244771370,"retransmit":true,"text":"Steer clear"}
8e26618b0e030d01537465657220636c656172 {"pgn":129802,"messageId":14,"repeatIndicator":2,"mmsi":244015398,"transceiver":"Channel B VDL reception","text":"Steer clear"}
7b6c18280c2232706d3930303031363930303031360e012b3331323031323334353637439e0b1f2475cb02172a000018280c223203fc39303030373039303030373087420000fb516a026a0a013532313233343536670a013532313233343536 {"pgn":129808,"format":"Individual station automatic","category":"Safety","address":"2440123450","firstTelecommand":"Distress relay","secondTelecommand":"Unable to use proposed mode","proposedRxFrequency":"900016","proposedTxFrequency":"900016","telephoneNumber":"+31201234567","latitude":52.0855107,"longitude":4.6888228,"timeOfPosition":1.0775,"mmsiInDistress":"2440123450","endOfSequence":3,"expansionEnabled":"No","callingRxFrequency":"900070","callingTxFrequency":"900070","timeOfReceipt":1.7031,"dateOfReceipt":20987,"messageId":618,"expansions":[{"field":"Number of persons on board","data":"52123456"},{"field":"COG","data":"52123456"}]}
734ed5970e4e4f4f52445a4545202020202020202020202020e301 {"pgn":129809,"messageId":51,"repeatIndicator":1,"mmsi":244831566,"name":"NOORDZEE","transceiver":"Channel B VDL transmission","sequenceId":1}
6cfbde8f0e3853525430303031504142432020208602640104be68b39e458f0e13e106 {"pgn":129810,"messageId":44,"repeatIndicator":1,"mmsi":244309755,"shipType":56,"shipTypeName":"Spare","vendorId":"SRT0001","callsign":"PABC","lengthM":64.6,"beamM":35.6,"toStarboardM":4864.4,"toBowM":4592.8,"mothershipMmsi":244270494,"positionFixingDevice":"GPS","transceiver":"Channel B VDL reception","sequenceId":6}
ff {"pgn":129812}
4501060004005c020a014e4f4f52445a4545821820002a4ef70100030000000600000087010a014e4f4f52445a4545bcb0ce020c4ff305000800000007000000 {"pgn":130064,"startDatabaseId":325,"numberOfItems":6,"numberOfDatabases":4,"databases":[{"databaseId":604,"name":"NOORDZEE","time":210.3426,"date":20010,"positionResolution":7,"numberOfRoutes":1,"numberOfWaypoints":3,"numberOfBytes":6},{"databaseId":391,"name":"NOORDZEE","time":4710.0092,"date":20236,"positionResolution":3,"numberOfRoutes":5,"numberOfWaypoints":8,"numberOfBytes":7}]}
6200010008005b0151010a014e4f4f52445a454507b4020a014e4f4f52445a454523 {"pgn":130065,"startRouteId":98,"numberOfItems":1,"numberOfRoutes":8,"databaseId":347,"routes":[{"routeId":337,"name":"NOORDZEE","waypointIdentification":"Waypoints embedded in route","status":"Active"},{"routeId":692,"name":"NOORDZEE","waypointIdentification":"Waypoints in WP list","status":"Deleted"}]}
62011f000a014e4f4f52445a4545ac398400f84f610200f8251d00 {"pgn":130066,"databaseId":354,"routeId":31,"name":"NOORDZEE","time":866.5516,"date":20472,"lastChange":97,"numberOfWaypoints":2,"criticalParameters":248,"navigationMethod":"Rhumb Line","waypointIdentification":"Waypoints embedded in route","status":"Deleted","xteLimitM":29}
3b0002000300a9011402f7020a014e4f4f52445a4545f4082b1f5ce4960269000a014e4f4f52445a45456714641f12c69b02 {"pgn":130067,"startRps":59,"numberOfItems":2,"numberOfWaypoints":3,"databaseId":425,"routeId":532,"waypoints":[{"waypointId":759,"name":"NOORDZEE","latitude":52.2914036,"longitude":4.3443292},{"waypointId":105,"name":"NOORDZEE","latitude":52.6652519,"longitude":4.3763218}]}
8701020004006303ae0247010a014e4f4f52445a4545ca020a014e4f4f52445a4545 {"pgn":130068,"startRps":391,"numberOfItems":2,"numberOfWaypoints":4,"databaseId":867,"routeId":686,"waypoints":[{"waypointId":327,"name":"NOORDZEE"},{"waypointId":714,"name":"NOORDZEE"}]}
300208000100d101580262031100fc310329013a013100fd {"pgn":130069,"startRps":560,"numberOfItems":8,"numberOfLegs":1,"legs":[{"databaseId":465,"routeId":600,"rps":866,"xteLimitM":17,"navigationMethod":"Great Circle"},{"databaseId":817,"routeId":297,"rps":314,"xteLimitM":49,"navigationMethod":"Rhumb Line"}]}
2903030002000602ffffaf010a014e4f4f52445a45450c246a1fe7e9dc025c010a014e4f4f52445a4545163d7c1f3a0c6602 {"pgn":130074,"startWaypointId":809,"numberOfItems":3,"numberOfWaypoints":2,"databaseId":518,"waypoints":[{"waypointId":431,"name":"NOORDZEE","latitude":52.704974,"longitude":4.8032231},{"waypointId":348,"name":"NOORDZEE","latitude":52.8235798,"longitude":4.0242234}]}
020adb60e8f9ffff {"pgn":130306,"sequenceId":2,"windSpeedMs":560.74,"windSpeedKnots":1089.99,"windAngleDeg":340.841,"reference":"Magnetic (ground referenced to Magnetic North)"}
00a8770485e303ff {"pgn":130310,"sequenceId":0,"waterTempC":33.17,"outsideTempC":67.37,"pressurePa":99500}
050fc7734aa9e603 {"pgn":130311,"sequenceId":5,"tempSource":"Shaft Seal Temperature","humiditySource":"Inside","temperatureC":23.24,"humidityPercent":-88.792,"pressurePa":99800}
00010e526ff882ff {"pgn":130312,"sequenceId":0,"instance":1,"source":"Exhaust Gas Temperature","actualTempC":11.83,"setTempC":62.13}
020601df6dc5d3ff {"pgn":130313,"sequenceId":2,"instance":6,"source":"Outside","actualHumidityPercent":112.508,"setHumidityPercent":-45.292}
030405604e0f00ff {"pgn":130314,"sequenceId":3,"instance":4,"source":"Filter","pressurePa":100310.4}
01020b4cb504d90d {"pgn":130316,"sequenceId":1,"instance":2,"source":"Theoretical Wind Chill Temperature","actualTempC":35.406,"setTempC":81.4}
021155c169ecd38b8d67e2e757647877a91b778cf04d2100 {"pgn":130567,"operatingState":"Running","production":"No","rinse":"Yes","lowPressurePump":"No","highPressurePump":"Yes","emergencyStop":"No","productSolenoidValve":"Warning","flushMode":"Yes","salinityStatus":"Warning","sensorStatus":"Warning","oilChangeIndicator":"Warning","filterStatus":"OK","systemStatus":"OK","salinityPpm":60521,"productWaterTempC":84.8,"preFilterPressureKpa":2650.9,"postFilterPressureKpa":5936.2,"feedPressureKpa":25687,"systemHighPressureKpa":30584,"productWaterFlowLh":708.1,"brineWaterFlowLh":-2957.7,"runTimeHours":606.2889}
ff {"pgn":130568}
ff {"pgn":130569}
cf02c30b78b66da9969bcfd7cc7a {"pgn":130577,"sequenceId":2,"cogReference":0,"cog":17.252,"sog":908.01,"heading":248.509,"speedThroughWater":774.23,"set":316.542,"drift":611.07}
`;

export const fixtures: readonly Fixture[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [hex, json] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
    return { pgn: JSON.parse(json).pgn, payload: Uint8Array.from(Buffer.from(hex!, "hex")), json };
  });
