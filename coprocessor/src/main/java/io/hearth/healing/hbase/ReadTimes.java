package io.hearth.healing.hbase;

import io.hearth.healing.observe.ReadProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads one row of one region after the other, since RegionServers tell the master no read latency: only whether the row that
 * begins a region exists, past the block cache's admission, one read at a time and one for each asking. A read that fails says
 * nothing: regions move. Thread-safe.
 */
final class ReadTimes implements ReadProbe {

    private static final int TIMEOUT_MS = 2_000;

    /** Coprime to any usual number of regions, so that the regions of all servers come to their turn. */
    private static final int STRIDE = 7_919;

    private final HealingHost host;
    private final Executor threads;
    private final Queue<Long> micros = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private int turn;

    ReadTimes(HealingHost host, Executor threads) {
        this.host = host;
        this.threads = threads;
    }

    @Override
    public List<Long> takeMicros() {
        List<Long> taken = new ArrayList<>();
        for (Long next = micros.poll(); next != null; next = micros.poll()) {
            taken.add(next);
        }
        if (underWay.compareAndSet(false, true)) {
            try {
                threads.execute(this::read);
            } catch (RuntimeException stopping) {
                underWay.set(false);
            }
        }
        return taken;
    }

    private void read() {
        try {
            RegionInfo region = nextRegion();
            if (region != null) {
                read(region);
            }
        } catch (IOException | RuntimeException notNow) {
            // Says nothing about reads.
        } finally {
            underWay.set(false);
        }
    }

    private void read(RegionInfo region) throws IOException {
        byte[] first = region.getStartKey();
        Get get = new Get(first.length == 0 ? new byte[] {0} : first);
        get.setCheckExistenceOnly(true);
        get.setCacheBlocks(false);
        try (Table table = host.connection()
                .getTableBuilder(region.getTable(), null)
                .setOperationTimeout(TIMEOUT_MS)
                .setReadRpcTimeout(TIMEOUT_MS)
                .build()) {
            long start = System.nanoTime();
            boolean unused = table.exists(get);
            micros.add((System.nanoTime() - start) / 1_000);
        }
    }

    private synchronized RegionInfo nextRegion() {
        List<RegionInfo> open = new ArrayList<>();
        for (RegionInfo region : host.regions().open()) {
            if (!region.getTable().isSystemTable() && RegionReplicaUtil.isDefaultReplica(region)) {
                open.add(region);
            }
        }
        turn = Math.floorMod(turn + STRIDE, Math.max(1, open.size()));
        return open.isEmpty() ? null : open.get(turn);
    }
}
