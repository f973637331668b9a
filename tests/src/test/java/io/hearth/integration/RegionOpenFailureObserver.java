// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** On one host no region of its table opens, as where a codec or a jar is missing. */
public final class RegionOpenFailureObserver implements RegionCoprocessor, RegionObserver {

    /** The host; nobody where it is empty. */
    static volatile String host = "";

    /** How often each region was tried there. */
    static final Map<String, AtomicInteger> TRIES = new ConcurrentHashMap<>();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
        RegionCoprocessorEnvironment environment = context.getEnvironment();
        if (environment.getServerName().getHostname().equals(host)) {
            TRIES.computeIfAbsent(environment.getRegionInfo().getEncodedName(), first -> new AtomicInteger())
                    .incrementAndGet();
            throw new IOException("There is no such codec on " + host);
        }
    }
}
