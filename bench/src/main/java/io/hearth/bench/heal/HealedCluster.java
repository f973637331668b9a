// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.SimulatedLoop.Waiting;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Observed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A cluster whose regions come and go while the healing loop that ships moves their blocks after them, on simulated time and HDFS.
 * DataNodes run on whether the servers on their hosts do or not. A server reports the locality of a region when it opens it
 * and each minute from then on, as where {@code hbase.locality.inputstream.derive.enabled} is set. Not thread-safe.
 */
public final class HealedCluster {

    private static final long REPORT_MICROS = 60_000_000;

    private final SimulatedTime time = new SimulatedTime();
    private final WrittenFiles files;
    private final SimulatedHdfs hdfs;
    private final SimulatedLoop loop;
    private final Function<EncodedRegionName, RegionHeat> heat;
    private final Map<EncodedRegionName, ServedRegion> servedById = new TreeMap<>();
    private final Set<EncodedRegionName> unserved = new HashSet<>();
    private Assignments.AssignmentSnapshot snapshot = Assignments.AssignmentSnapshot.EMPTY;
    private boolean isStale = true;
    private long movedBytes;

    /**
     * @param rackByHost the hosts, each with a DataNode
     * @param heat how hot a region is now
     * @param seed of where the replicas of new files are
     */
    public HealedCluster(
            Map<String, String> rackByHost,
            HealingConfig config,
            Function<EncodedRegionName, RegionHeat> heat,
            long seed) {
        this.heat = heat;
        this.files = new WrittenFiles(rackByHost, seed);
        this.hdfs = new SimulatedHdfs(files, Machines.USUAL, time, move -> movedBytes += move.lengthBytes());
        this.loop = new SimulatedLoop(time, hdfs, new Served(), config, Waiting.WOKEN, new HealObserver(), () -> 0);
        time.after(REPORT_MICROS, this::report);
    }

    /** Writes a region's store file on this host. */
    public void write(EncodedRegionName region, TableId table, long bytes, String host) {
        files.write(region, table, bytes, host);
        unserved.add(region);
        isStale = true;
    }

    /** The region has become these two, each with half of its blocks. */
    public void split(EncodedRegionName parent, EncodedRegionName first, EncodedRegionName second) {
        files.split(parent, first, second);
        servedById.remove(parent);
        unserved.remove(parent);
        unserved.add(first);
        unserved.add(second);
        isStale = true;
    }

    /** A server has opened this region. */
    public void opened(EncodedRegionName region, ServerId server) {
        unserved.remove(region);
        servedById.put(
                region,
                new ServedRegion(
                        region,
                        files.table(region),
                        HealRank.USER,
                        TableHealingMode.ON,
                        server,
                        Optional.of(localityOn(region, server.host()))));
        isStale = true;
    }

    /** Nobody serves this region just now. */
    public void closed(EncodedRegionName region) {
        servedById.remove(region);
        unserved.add(region);
        isStale = true;
    }

    /** Lets the loop work until then, in milliseconds from 0; never back. */
    public void advanceTo(long ms) {
        while (time.nowMs() < ms) {
            loop.turn();
        }
    }

    /** The bytes of a region by the hosts that have them. */
    public Map<String, Long> bytesByHost(EncodedRegionName region) {
        Map<String, Long> bytesByHost = new HashMap<>();
        for (StoreFile file : files.files(region)) {
            for (BlockReplicas block : file.blocks()) {
                for (Replica replica : hdfs.holdersNow(block)) {
                    bytesByHost.merge(replica.node().host(), block.lengthBytes(), Long::sum);
                }
            }
        }
        return bytesByHost;
    }

    /** All bytes of a region, each once. */
    public long bytes(EncodedRegionName region) {
        return files.files(region).stream().mapToLong(StoreFile::lengthBytes).sum();
    }

    /** The share of the bytes of all regions that are served which is on the hosts of their servers, 0 to 1. */
    public double locality() {
        long local = 0;
        long total = 0;
        for (ServedRegion region : servedById.values()) {
            ReportedLocality now = localityOn(region.region(), region.server().host());
            local += now.localBytes();
            total += now.totalBytes();
        }
        return total == 0 ? 1 : (double) local / total;
    }

    /** The bytes of all block moves so far. */
    public long movedBytes() {
        return movedBytes;
    }

    private ReportedLocality localityOn(EncodedRegionName region, String host) {
        long local = 0;
        for (StoreFile file : files.files(region)) {
            for (BlockReplicas block : file.blocks()) {
                for (Replica replica : hdfs.holdersNow(block)) {
                    local += replica.node().host().equals(host) ? block.lengthBytes() : 0;
                }
            }
        }
        return new ReportedLocality(local, bytes(region));
    }

    private void report() {
        servedById.replaceAll((id, region) -> {
            ReportedLocality now = localityOn(id, region.server().host());
            return region.reported().filter(now::equals).isPresent()
                    ? region
                    : new ServedRegion(
                            id, region.table(), region.rank(), region.mode(), region.server(), Optional.of(now));
        });
        isStale = true;
        time.after(REPORT_MICROS, this::report);
    }

    private final class Served implements Assignments {

        @Override
        public Observed<AssignmentSnapshot> snapshot() {
            if (isStale) {
                isStale = false;
                snapshot = AssignmentSnapshot.of(servedById.values(), unserved);
            }
            return Observed.known(snapshot);
        }

        @Override
        public RegionHeat heat(EncodedRegionName region) {
            return heat.apply(region);
        }
    }
}
