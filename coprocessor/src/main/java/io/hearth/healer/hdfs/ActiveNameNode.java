// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.spi.NameNodeUsage;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;

/**
 * How a client asks the active NameNode alone, where its configuration has it read from observers. An observer answers once it has
 * replayed what the client has seen of the edit log; where replicas are is not in that log, and DataNodes tell each NameNode apart.
 */
final class ActiveNameNode {

    private ActiveNameNode() {}

    /** The configuration to ask it with; empty if a client with this one asks no observer. */
    static Optional<Configuration> configuration(Configuration conf, URI fileSystem) {
        String key = Failover.PROXY_PROVIDER_KEY_PREFIX + "." + fileSystem.getHost();
        Class<?> provider = conf.getClassByNameOrNull(conf.getTrimmed(key, ""));
        if (provider == null || !ObserverReadProxyProvider.class.isAssignableFrom(provider)) {
            return Optional.empty();
        }
        Configuration active = new Configuration(conf);
        active.set(key, ConfiguredFailoverProxyProvider.class.getName());
        return Optional.of(active);
    }

    /**
     * Has observers catch up with what the active NameNode knew {@value #EVERY_MS} ms before a listing, or later. Without that they wait
     * for what this client has seen alone, and files are those of RegionServers. Thread-safe.
     */
    static final class ObserverSync implements NameNodeFiles.BeforeListing {

        static final long EVERY_MS = 1_000;

        /** {@code ClientProtocol.msync}: the active NameNode says how far its edit log is, which costs it next to nothing. */
        @FunctionalInterface
        interface Msync {
            void call() throws IOException;
        }

        private final Msync msync;
        private final Msync catchUp;
        private final NameNodeUsage usage;
        private final LongSupplier nanoTime;
        private OptionalLong syncedMs = OptionalLong.empty();

        /**
         * @param catchUp any cheap call that an observer answers once it has caught up: it waits there, and not in a listing, of which the time is
         *     measured
         * @param usage told of the time of msync; an observer that waits for edits works for nobody meanwhile
         */
        ObserverSync(Msync msync, Msync catchUp, NameNodeUsage usage, LongSupplier nanoTime) {
            this.msync = msync;
            this.catchUp = catchUp;
            this.usage = usage;
            this.nanoTime = nanoTime;
        }

        @Override
        public synchronized void prepare() throws IOException {
            long startNanos = nanoTime.getAsLong();
            long nowMs = startNanos / 1_000_000;
            if (syncedMs.isPresent() && nowMs - syncedMs.getAsLong() < EVERY_MS) {
                return;
            }
            try {
                msync.call();
                syncedMs = OptionalLong.of(nowMs);
            } finally {
                usage.called((nanoTime.getAsLong() - startNanos) / 1_000);
            }
            catchUp.call();
        }
    }
}
