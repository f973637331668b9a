// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationManager;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Told by an HMaster whenever it has read its configuration anew ({@code update_config}): before HBase 2.6 no hook of a coprocessor is.
 * The HMaster's link to it is weak: it is told for as long as its owner keeps it. Thread-safe.
 */
final class ConfigurationReloads implements ConfigurationObserver {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationReloads.class);

    private final Runnable reload;
    private volatile boolean isEnded;

    /** @param reload called on a thread of HBase's, which waits for it */
    ConfigurationReloads(Runnable reload) {
        this.reload = reload;
    }

    /** Those of this master, told from soon on; empty where it is none that can tell. */
    static Optional<ConfigurationReloads> of(MasterServices services, Runnable reload) {
        if (!(services instanceof HMaster master)) {
            return Optional.empty();
        }
        ConfigurationReloads reloads = new ConfigurationReloads(reload);
        Thread unused = reloads.register(master.getConfigurationManager());
        return Optional.of(reloads);
    }

    /**
     * On a thread of its own, which may have to wait: an HMaster that is told of another coprocessor makes it while it goes through those
     * that it tells, and one more of them would end that with an exception.
     */
    Thread register(ConfigurationManager manager) {
        Thread thread = new Thread(
                () -> {
                    try {
                        manager.registerObserver(this);
                    } catch (Throwable failure) {
                        LOG.warn("Healing does not hear of a changed configuration.", failure);
                    }
                },
                "hearth-healer-configuration");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void onConfigurationChange(Configuration reloaded) {
        if (!isEnded) {
            reload.run();
        }
    }

    /** From now on nothing comes of what it is told. */
    void end() {
        isEnded = true;
    }
}
