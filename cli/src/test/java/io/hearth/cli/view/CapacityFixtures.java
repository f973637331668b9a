// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.doctor.capacity.MemstoreSizing;
import io.hearth.doctor.capacity.ObservedCluster;
import io.hearth.doctor.capacity.ObservedCluster.HdfsSpace;
import io.hearth.doctor.capacity.ObservedCluster.NodeSpace;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.ServerMemory.GcCounters;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.capacity.TableStore;
import io.hearth.doctor.capacity.TableStore.Access;
import io.hearth.doctor.capacity.TableStore.Family;
import io.hearth.doctor.capacity.TableStore.Files;
import io.hearth.doctor.capacity.TableStore.Flushes;
import io.hearth.doctor.capacity.TableStore.Reads;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster of two servers: one with too many regions, and one that does not show its counters. */
public final class CapacityFixtures {

    public static final long MEGABYTE = 1L << 20;
    public static final long GIGABYTE = 1L << 30;
    public static final long TERABYTE = 1L << 40;

    /** 2026-11-29 17:40 UTC. */
    public static final long NOW_MS = 1_795_974_000_000L;

    private CapacityFixtures() {}

    public static ObservedCluster cluster() {
        ProcessConfig old = new ProcessConfig(Map.of("hbase.regionserver.global.memstore.upperLimit", "0.4"));
        ServerMemory many = new ServerMemory(
                "host1",
                new EffectiveConfig(old, Optional.empty()),
                MemstoreSizing.of(12 * GIGABYTE, 700, 700, old),
                new StoreLoad(2_800, 17, 4 * GIGABYTE, 86_400_000),
                new Counters(
                        ProbeResult.known(new FlushCounters(
                                12_000, 84_000 * MEGABYTE, 50_000 * MEGABYTE, 400_000 * MEGABYTE, 0, 300, 12, 90_000)),
                        ProbeResult.known(new GcCounters(40_000, 8_640_000, 2, 30)),
                        ProbeResult.known(new CacheCounters(4 * GIGABYTE, 0, 900, 100, GIGABYTE, MEGABYTE))));
        ProcessConfig defaults = new ProcessConfig(Map.of());
        ServerMemory silent = new ServerMemory(
                "host2",
                new EffectiveConfig(defaults, Optional.of("Judged by the client's configuration: it has no web UI.")),
                MemstoreSizing.of(12 * GIGABYTE, 100, 100, defaults),
                new StoreLoad(300, 4, GIGABYTE, 86_400_000),
                Counters.unknown("it has no web UI"));
        return new ObservedCluster(
                NOW_MS,
                List.of(many, silent),
                List.of(
                        new TableStore(
                                "tsdb",
                                Collections.nCopies(800, 2 * GIGABYTE),
                                new Files(3_100, 5 * GIGABYTE, 3_200 * GIGABYTE, 200 * MEGABYTE, 100 * MEGABYTE),
                                List.of(new Family("t", 65_536)),
                                new Access(
                                        ProbeResult.known(new Reads(900_000, 100_000)),
                                        ProbeResult.known(new Flushes(12_000, 84_000 * MEGABYTE)),
                                        ProbeResult.known(400L),
                                        ProbeResult.known(0.9))),
                        new TableStore(
                                "unread",
                                List.of(),
                                new Files(0, 0, 0, 0, 0),
                                List.of(new Family("t", 65_536)),
                                Access.unknown("no RegionServer has counted a read of it"))),
                10 * GIGABYTE,
                3,
                ProbeResult.known(new HdfsSpace(
                        16 * TERABYTE,
                        5 * TERABYTE,
                        10 * TERABYTE,
                        ProbeResult.known(List.of(
                                new NodeSpace("host1", 8 * TERABYTE, 4 * TERABYTE),
                                new NodeSpace("host2", 8 * TERABYTE, 6 * TERABYTE))))));
    }
}
