// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much load each host can take against the others, where the site says so: {@code hearth.server.<host>.capacity}. A host of
 * capacity 2 has twice the fair share of heat, and of regions, of one of capacity 1, which is what holds where nothing is said. Immutable.
 */
public final class ServerCapacities {

    /** Every host is like any other. */
    public static final ServerCapacities ALIKE = new ServerCapacities(new TreeMap<>(), List.of());

    private static final String PREFIX = "hearth.server.";
    private static final String SUFFIX = ".capacity";

    private final SortedMap<String, Double> capacityByHost;
    private final List<ConfigProblem> problems;

    private ServerCapacities(SortedMap<String, Double> capacityByHost, List<ConfigProblem> problems) {
        this.capacityByHost = capacityByHost;
        this.problems = List.copyOf(problems);
    }

    /**
     * Reads every capacity of this site.
     *
     * @param where the name of the configuration in messages
     */
    public static ServerCapacities read(String where, RawSettings site) {
        SortedMap<String, Double> capacities = new TreeMap<>();
        SettingsReader reader = new SettingsReader(where, site);
        for (String key : site.keysWithPrefix(PREFIX)) {
            if (isSiteKey(key)) {
                String host = key.substring(PREFIX.length(), key.length() - SUFFIX.length());
                capacities.put(host.toLowerCase(Locale.ROOT), reader.read(capacity(key)));
            }
        }
        return new ServerCapacities(capacities, new ArrayList<>(reader.problems()));
    }

    /** The capacity of this host, above 0; names are compared without regard to case. */
    public double of(String host) {
        return capacityByHost.getOrDefault(host.toLowerCase(Locale.ROOT), 1.0);
    }

    /** Whether none of these hosts is stronger than another. */
    public boolean areAlike(Collection<String> hosts) {
        return capacityByHost.isEmpty()
                || hosts.stream().map(this::of).distinct().count() <= 1;
    }

    /** Every value that could not be used. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    /** Whether this is the form of a capacity, of whatever host. */
    public static boolean isSiteKey(String key) {
        return key.startsWith(PREFIX) && key.endsWith(SUFFIX) && key.length() > PREFIX.length() + SUFFIX.length();
    }

    private static Setting<Double> capacity(String key) {
        return Setting.decimal(key, 1.0, 0.01, 100, "", "How much load the host can take against the others.");
    }
}
