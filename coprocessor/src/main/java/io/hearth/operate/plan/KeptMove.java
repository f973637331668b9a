package io.hearth.operate.plan;

/**
 * One move of a kept plan. Immutable.
 *
 * @param region the region's encoded name
 * @param from a server as HBase writes it: {@code host,port,startcode}
 * @param to the same
 */
public record KeptMove(String region, String table, String from, String to) {}
