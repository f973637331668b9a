// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The moves of a plan with what they were made on. Immutable.
 *
 * <p>A plan is right for the servers that it takes from and gives to as they were: once one of them serves other regions, or is
 * gone, the plan is of the past. What happens on other servers does not matter to it.
 *
 * @param clusterId HBase's name for the cluster
 * @param expiresAtMs from when on heat may have changed too much, in milliseconds since 1970
 * @param digestByServer for each server of the moves a digest of the regions that it served
 */
public record SavedPlan(
        String clusterId, long madeAtMs, long expiresAtMs, Map<String, String> digestByServer, List<SavedMove> moves) {

    /** Long enough to be read and talked over, short against how long heat stays the same; milliseconds. */
    public static final long VALID_MS = 900_000;

    private static final String AGAIN = "; make another one with bin/hearth balancer plan --out";

    public SavedPlan {
        digestByServer = Map.copyOf(digestByServer);
        moves = List.copyOf(moves);
    }

    /**
     * The plan of these moves, made now.
     *
     * @param regionsByServer the encoded names of the regions of each server of the moves
     */
    public static SavedPlan of(
            String clusterId,
            long nowMs,
            Map<String, ? extends Collection<String>> regionsByServer,
            List<SavedMove> moves) {
        return new SavedPlan(clusterId, nowMs, nowMs + VALID_MS, digests(regionsByServer), moves);
    }

    /** The servers that these moves take from or give to. */
    public static Set<String> servers(Collection<SavedMove> moves) {
        Set<String> servers = new TreeSet<>();
        moves.forEach(move -> {
            servers.add(move.from());
            servers.add(move.to());
        });
        return servers;
    }

    /**
     * What tells this plan from any other; a file in which anything was changed by accident has another one. It has no key: it
     * holds off nobody who means to change the plan.
     */
    public String hash() {
        StringBuilder text = new StringBuilder();
        text.append(clusterId)
                .append('\n')
                .append(madeAtMs)
                .append('\n')
                .append(expiresAtMs)
                .append('\n');
        new TreeMap<>(digestByServer)
                .forEach((server, digest) ->
                        text.append(server).append(' ').append(digest).append('\n'));
        moves.forEach(move -> text.append(String.join(" ", move.region(), move.table(), move.from(), move.to()))
                .append('\n'));
        return sha256(text.toString());
    }

    /**
     * Why it may not be carried out now; empty where it may.
     *
     * @param fileHash the hash that the file says
     * @param regionsByServer the regions that the plan's servers serve now; a server that is missing is gone
     */
    public Optional<String> refusal(
            String fileHash, String cluster, Map<String, ? extends Collection<String>> regionsByServer, long nowMs) {
        if (!fileHash.equals(hash())) {
            return Optional.of("it was changed after it was written: its hash does not fit" + AGAIN);
        }
        if (!cluster.equals(clusterId)) {
            return Optional.of("it is of another cluster (" + clusterId + ", and this one is " + cluster + ")");
        }
        if (nowMs >= expiresAtMs) {
            return Optional.of(
                    "it expired at " + Instant.ofEpochMilli(expiresAtMs).truncatedTo(ChronoUnit.SECONDS) + AGAIN);
        }
        return clusterChanged(regionsByServer);
    }

    private Optional<String> clusterChanged(Map<String, ? extends Collection<String>> regionsByServer) {
        Map<String, String> now = digests(regionsByServer);
        return new TreeMap<>(digestByServer)
                .entrySet().stream()
                        .filter(then -> !then.getValue().equals(now.get(then.getKey())))
                        .findFirst()
                        .map(then -> "the cluster has moved on: " + then.getKey()
                                + (now.containsKey(then.getKey())
                                        ? " no longer serves the regions that it served"
                                        : " is gone")
                                + AGAIN);
    }

    private static Map<String, String> digests(Map<String, ? extends Collection<String>> regionsByServer) {
        Map<String, String> digests = new TreeMap<>();
        regionsByServer.forEach(
                (server, regions) -> digests.put(server, sha256(String.join("\n", new TreeSet<>(regions)))));
        return digests;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException cannotBe) {
            throw new IllegalStateException("Every Java has SHA-256.", cannotBe);
        }
    }

    /**
     * One move of a kept plan. Immutable.
     *
     * @param region the region's encoded name
     * @param from a server as HBase writes it: {@code host,port,startcode}
     * @param to the same
     */
    public record SavedMove(String region, String table, String from, String to) {}
}
