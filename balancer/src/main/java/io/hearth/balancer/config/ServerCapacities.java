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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How much load each host can take against the others, where the site says so: {@code hearth.server.<host>.capacity}. A host of
 * capacity 2 has twice the fair share of heat, and of regions, of one of capacity 1, which is what holds where nothing is said. Immutable.
 */
public final class ServerCapacities {

    /** Every host is like any other. */
    public static final ServerCapacities ALIKE = new ServerCapacities("", new TreeMap<>(), new TreeMap<>(), List.of());

    private static final String PREFIX = "hearth.server.";
    private static final String SUFFIX = ".capacity";

    private final String where;
    private final SortedMap<String, Double> capacityByHost;
    private final SortedMap<String, String> keyByHost;
    private final List<ConfigProblem> problems;

    private ServerCapacities(
            String where,
            SortedMap<String, Double> capacityByHost,
            SortedMap<String, String> keyByHost,
            List<ConfigProblem> problems) {
        this.where = where;
        this.capacityByHost = capacityByHost;
        this.keyByHost = keyByHost;
        this.problems = List.copyOf(problems);
    }

    /**
     * Reads every capacity of this site.
     *
     * @param where the name of the configuration in messages
     */
    public static ServerCapacities read(String where, RawSettings site) {
        SortedMap<String, Double> capacities = new TreeMap<>();
        SortedMap<String, String> keys = new TreeMap<>();
        List<ConfigProblem> problems = new ArrayList<>();
        SettingsReader reader = new SettingsReader(where, site);
        for (String key : site.keysWithPrefix(PREFIX)) {
            if (isSiteKey(key)) {
                String host = lowerCase(key.substring(PREFIX.length(), key.length() - SUFFIX.length()));
                capacities.put(host, reader.read(capacity(key)));
                String overridden = keys.put(host, key);
                if (overridden != null) {
                    problems.add(overridden(where, overridden, key, capacities.get(host)));
                }
            }
        }
        problems.addAll(0, reader.problems());
        return new ServerCapacities(where, capacities, keys, problems);
    }

    private static ConfigProblem overridden(String where, String overridden, String key, double used) {
        return new ConfigProblem(
                where,
                overridden,
                overridden + " in " + where + " has no effect: " + key
                        + " is of the same host, since upper and lower case do not count. " + used
                        + " is used. Take one of the two out.");
    }

    private static String lowerCase(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    /** The capacity of this host, above 0; names are compared without regard to case. */
    public double of(String host) {
        return capacityByHost.getOrDefault(lowerCase(host), 1.0);
    }

    /** Whether none of these hosts is stronger than another. */
    public boolean areAlike(Collection<String> hosts) {
        return capacityByHost.isEmpty()
                || hosts.stream().map(this::of).distinct().count() <= 1;
    }

    /** A problem for each capacity of a host that is none of these; none where no host is known. */
    public List<ConfigProblem> unknownHosts(Collection<String> hosts) {
        if (hosts.isEmpty()) {
            return List.of();
        }
        Set<String> known = hosts.stream().map(ServerCapacities::lowerCase).collect(Collectors.toSet());
        return keyByHost.entrySet().stream()
                .filter(ofHost -> !known.contains(ofHost.getKey()))
                .map(ofHost -> new ConfigProblem(
                        where,
                        ofHost.getValue(),
                        ofHost.getValue() + " in " + where
                                + " has no effect now: no RegionServer runs on a host of this name."
                                + " If one does, use the host's name as the HMaster's web UI has it."))
                .toList();
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
