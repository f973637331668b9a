package io.hearth.healer.hdfs;

import io.hearth.healer.spi.NameNodeProbe;
import io.hearth.healer.spi.Observed;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.security.AccessControlException;

/**
 * Feels the NameNode by two calls of its cheapest kind: whether the lock files of the HDFS Balancer and Mover are open. Both
 * hold theirs open while they run ({@code NameNodeConnector.checkAndMarkRunning}); one that was left behind by a crash is closed
 * when the NameNode recovers its lease. The time of the first call is what a call of ours takes: the way there, the wait in the
 * queue, the namespace's lock, and the way back. Thread-safe.
 */
final class NameNodeLatencyProbe implements NameNodeProbe {

    static final String BALANCER_LOCK = "/system/balancer.id";
    static final String MOVER_LOCK = "/system/mover.id";

    private final DFSClient client;

    NameNodeLatencyProbe(DFSClient client) {
        this.client = client;
    }

    @Override
    public Observed<Sample> probe() {
        return NameNodeCalls.call(() -> {
            long start = System.nanoTime();
            boolean balancerRuns = isOpen(BALANCER_LOCK);
            long micros = (System.nanoTime() - start) / 1_000;
            return Observed.known(new Sample(micros, balancerRuns, isOpen(MOVER_LOCK)));
        });
    }

    /** A lock that we may not look at says nothing, like one that is not there. */
    private boolean isOpen(String path) throws IOException {
        try {
            return !client.isFileClosed(path);
        } catch (FileNotFoundException | AccessControlException notToBeSeen) {
            return false;
        }
    }
}
