package dev.ferry.lab.model.network;

/**
 * What bare sockets measured of a network, from the client to the server.
 *
 * @param rttP50Millis the median of round trips of 64 bytes over TCP, in milliseconds
 * @param rttP99Millis their 99th percentile in milliseconds
 * @param pings how many round trips there were
 * @param rateMbit the rate of a flood in megabits of IP packets per second, as the server's device
 *     counted them
 * @param rateBy {@code udp} if datagrams flooded the wire, {@code tcp} if one connection did
 * @param lossPercent how many of a hundred small datagrams the server's device did not count
 * @param datagrams how many small datagrams there were
 */
public record Calibration(
    double rttP50Millis,
    double rttP99Millis,
    int pings,
    double rateMbit,
    String rateBy,
    double lossPercent,
    long datagrams) {}
