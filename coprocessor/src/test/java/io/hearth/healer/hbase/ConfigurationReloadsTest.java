// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationManager;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.master.MasterServices;
import org.junit.jupiter.api.Test;

class ConfigurationReloadsTest {

    private static final int OBSERVERS = 10;

    private final ConfigurationManager manager = new ConfigurationManager();
    private final Configuration conf = new Configuration(false);
    private final AtomicInteger told = new AtomicInteger();

    /** As where an update of the configuration names another coprocessor. */
    @Test
    void itMayBeMadeWhileHBaseGoesThroughThoseThatItTells() throws InterruptedException {
        List<Thread> registrations = new ArrayList<>();
        List<ConfigurationReloads> made = new ArrayList<>();
        List<ConfigurationObserver> coprocessorHosts = new ArrayList<>();
        for (int number = 0; number < OBSERVERS; number++) {
            ConfigurationObserver host = changed -> {
                ConfigurationReloads reloads = new ConfigurationReloads(told::incrementAndGet);
                made.add(reloads);
                registrations.add(reloads.register(manager));
            };
            coprocessorHosts.add(host);
            manager.registerObserver(host);
        }

        manager.notifyAllObservers(conf);
        for (Thread registration : registrations) {
            registration.join();
        }

        assertThat(coprocessorHosts).as("kept: the manager's links are weak").hasSize(OBSERVERS);
        assertThat(told).as("too late for this time").hasValue(0);
        assertThat(manager.getNumObservers()).isEqualTo(2 * OBSERVERS);
        coprocessorHosts.forEach(manager::deregisterObserver);
        manager.notifyAllObservers(conf);
        assertThat(told).as("for the next one").hasValue(made.size());
    }

    @Test
    void aMasterThatIsNoHMasterTellsNobody() {
        assertThat(ConfigurationReloads.of(mock(MasterServices.class), told::incrementAndGet))
                .isEmpty();
    }
}
