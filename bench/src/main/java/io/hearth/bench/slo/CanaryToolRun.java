// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.tool.CanaryTool;
import org.apache.hadoop.hbase.tool.CanaryTool.RegionServerStdOutSink;

/**
 * HBase's own CanaryTool, which reads a row of each RegionServer, and waits for a second before it does so again; with what it says of one
 * server. Thread-safe.
 */
final class CanaryToolRun implements AutoCloseable {

    private static final String SINK_KEY = "hbase.canary.sink.class";
    private static final double PERCENT = 100;

    private final long limitMs;
    private final CanaryTool tool;
    private final ExecutorService readers = Executors.newFixedThreadPool(8, CanaryToolRun::daemon);
    private final Thread thread;
    private volatile String end = "";
    private volatile boolean isClosed;

    private CanaryToolRun(Configuration site, long limitMs) {
        this.limitMs = limitMs;
        Configuration conf = new Configuration(site);
        conf.setClass(SINK_KEY, CountingSink.class, CanaryTool.Sink.class);
        tool = new CanaryTool(readers);
        tool.setConf(conf);
        thread = daemon(this::check);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "canary-tool");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts it.
     *
     * @param limitMs within which a read is good
     */
    static CanaryToolRun start(Configuration site, long limitMs) {
        CanaryToolRun run = new CanaryToolRun(site, limitMs);
        run.thread.start();
        return run;
    }

    private void check() {
        String why;
        try {
            why = "exit code " + tool.run(new String[] {"-regionserver", "-interval", "1", "-f", "false"});
        } catch (Exception ended) {
            why = ended.toString();
        }
        end = isClosed ? "" : why;
    }

    /** Why it has ended before it was closed; empty if it has not. */
    Optional<String> end() {
        return Optional.of(end).filter(why -> !why.isEmpty());
    }

    /** Counts the checks of this host's server from now on. */
    void countFromNowOn(String host) {
        CountingSink.begin(host, limitMs);
    }

    long checks() {
        return CountingSink.checks();
    }

    /** The share of the checks that were answered within the limit. */
    double percentGood() {
        return PERCENT * CountingSink.good() / CountingSink.checks();
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        readers.shutdownNow();
    }

    /** What the tool tells of its checks. It makes this itself, so what is counted belongs to the class. */
    public static final class CountingSink extends RegionServerStdOutSink {

        private static String host = "";
        private static long limitMs;
        private static long checks;
        private static long good;

        /** For CanaryTool. */
        public CountingSink() {}

        private static synchronized void begin(String ofHost, long limit) {
            host = ofHost;
            limitMs = limit;
            checks = 0;
            good = 0;
        }

        private static synchronized void count(String server, boolean isGood) {
            if (server.contains(host)) {
                checks++;
                good += isGood ? 1 : 0;
            }
        }

        private static synchronized long checks() {
            return checks;
        }

        private static synchronized long good() {
            return good;
        }

        @Override
        public void publishReadFailure(String table, String server) {
            count(server, false);
        }

        @Override
        public void publishReadTiming(String table, String server, long ms) {
            count(server, ms <= limitMs);
        }
    }
}
