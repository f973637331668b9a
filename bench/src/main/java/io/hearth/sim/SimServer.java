// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
import java.util.Optional;

/** One server of the simulated cluster, through all its lives. Mutable; belongs to one {@link SimCluster}. */
final class SimServer {

    private static final int PORT = 16020;

    /** Simulated time 0 in milliseconds since 1970, so that start codes and report times look like HBase's. */
    static final long EPOCH_MS = 1_700_000_000_000L;

    final int number;
    private final String rack;
    private final double capacity;
    private ServerId id;
    private long startedMs;
    private double servedShare = 1;
    private boolean isAlive = true;
    private Optional<ServerReport> lastReport = Optional.empty();
    private Optional<ServerReport> reportBefore = Optional.empty();

    SimServer(int number, String rack, double capacity, long startMs) {
        this.number = number;
        this.rack = rack;
        this.capacity = capacity;
        startedMs = startMs;
        id = idOfLife(startMs);
    }

    private ServerId idOfLife(long startMs) {
        return new ServerId(host(number), PORT, EPOCH_MS + startMs);
    }

    /** The host of the server with this number, from 1. */
    static String host(int number) {
        return String.format("server-%02d", number);
    }

    ServerId id() {
        return id;
    }

    ServerState state() {
        return new ServerState(id, rack, capacity);
    }

    double capacity() {
        return capacity;
    }

    boolean isAlive() {
        return isAlive;
    }

    long startedMs() {
        return startedMs;
    }

    /** What it serves of what it is asked for, 0 to 1. */
    double servedShare() {
        return servedShare;
    }

    void serves(double share) {
        servedShare = share;
    }

    void die() {
        isAlive = false;
        lastReport = Optional.empty();
        reportBefore = Optional.empty();
    }

    /** Another life, under another start code. */
    void comeBack(long nowMs) {
        isAlive = true;
        servedShare = 1;
        startedMs = nowMs;
        id = idOfLife(nowMs);
    }

    Optional<ServerReport> lastReport() {
        return lastReport;
    }

    /** The one before the last one; empty before there were two. */
    Optional<ServerReport> reportBefore() {
        return reportBefore;
    }

    void report(ServerReport report) {
        reportBefore = lastReport;
        lastReport = Optional.of(report);
    }
}
